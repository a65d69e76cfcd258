import type { CallOutput, HandledInput } from '../../../../shared/contract/contract.ts';
import type { SyncStatus } from '../../../../shared/contract/library-sync.ts';
import type { Site } from '../../../../shared/contract/sites.ts';
import type { Accounts } from '../../account/accounts.ts';
import type { Emitter } from '../../common/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Failpoints } from '../../ports/failpoints.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import { type MirrorOwner, StoredMirrors } from '../stored-mirrors.ts';
import { SyncJobs } from './sync-jobs.ts';

export interface MirrorSyncOptions {
  profileDir: string;
  accounts: Pick<Accounts, 'clientFor' | 'list' | 'onDidChangeSites'>;
  clock: Clock;
  logger: Logger;
  failpoints: Failpoints;
  /** Runs the passes. */
  scheduler: Pick<Scheduler, 'add'>;
  /** Calls the listener when the computer slept, its clock was set, or it is online again. */
  onDidComeBack(listener: () => void): () => void;
  breakers: SiteBreakers;
  /** Resolves when the site answers; otherwise throws the error that concerns the whole site. */
  probe(siteId: string): Promise<void>;
  onDidChangeLibrary(siteId: string): void;
  /** Whether the journal has open edits of an item. Called once the engine runs. */
  hasEdits(siteId: string, mediaId: string): boolean;
}

type SyncCallName = 'library.syncStatus' | 'library.syncNow';

/** The mirrors of all accounts, with the jobs that keep them up to date. */
export interface MirrorSync {
  mirrors: StoredMirrors;
  syncs: SyncJobs;
  handlers: { [N in SyncCallName]: (input: HandledInput<N>) => Promise<CallOutput<N>> };
  onDidChangeSync: Emitter<SyncStatus>['on'];
  /** Opens the mirrors that exist. Called after the accounts started. */
  open(): Promise<void>;
  /** Keeps the mirrors up to date from now on. */
  start(): void;
  stop(): Promise<void>;
}

/** Creates the mirrors and their sync. A mirror exists from the first sync of an account until its sign-out. */
export function createMirrorSync(options: MirrorSyncOptions): MirrorSync {
  const { accounts, scheduler } = options;
  const mirrors = new StoredMirrors(options);
  let isOn = false;
  const owners = (): MirrorOwner[] =>
    accounts
      .list()
      .filter(({ state }) => state === 'signed-in')
      .map(ownerOf);
  const syncs = scheduler.add(
    (lane) => new SyncJobs({ ...options, ...accounts, mirrors, owners, isOn: () => isOn }, lane),
  );
  let known = new Set<string>();

  /** Removes the library copy of an account that signed out, and syncs an account that signed in. */
  function onSites(sites: readonly Site[]): void {
    const kept = keptOwners(sites);
    const current = new Set(kept.map(({ siteId }) => siteId));
    for (const siteId of known) if (!current.has(siteId)) void syncs.forget(siteId);
    known = current;
    syncs.wake();
  }

  const subscriptions = [accounts.onDidChangeSites(onSites), options.onDidComeBack(() => syncs.wake())];
  return {
    mirrors,
    syncs,
    handlers: {
      async 'library.syncStatus'({ siteId }) {
        accounts.clientFor(siteId);
        return syncs.status(siteId);
      },
      async 'library.syncNow'({ siteId, removesVanished = false }) {
        accounts.clientFor(siteId);
        return syncs.syncNow(siteId, { removesHidden: removesVanished });
      },
    },
    onDidChangeSync: (listener) => syncs.onDidChange.on(listener),
    async open() {
      const kept = keptOwners(accounts.list());
      known = new Set(kept.map(({ siteId }) => siteId));
      await mirrors.start(kept);
    },
    start() {
      isOn = true;
      syncs.wake();
    },
    async stop() {
      isOn = false;
      for (const dispose of subscriptions) dispose();
      await syncs.stop();
      mirrors.stop();
    },
  };
}

/** Returns the owners whose mirrors are kept, also accounts that have to sign in again. */
function keptOwners(sites: readonly Site[]): MirrorOwner[] {
  return sites.filter(({ state }) => state !== 'signed-out').map(ownerOf);
}

function ownerOf({ id, baseUrl, userId }: Site): MirrorOwner {
  return { siteId: id, baseUrl, userId };
}
