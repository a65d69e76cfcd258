import { setImmediate as turn } from 'node:timers/promises';
import type { SiteClient } from '../../../electron/engine/api/http-client.ts';
import { listMedia } from '../../../electron/engine/api/media.ts';
import { EDIT_COMMAND_LANE } from '../../../electron/engine/edits/commands/bulk-edits.ts';
import { createEdits, type Edits } from '../../../electron/engine/edits/edits.ts';
import { EDIT_LANE } from '../../../electron/engine/edits/replay/edit-jobs.ts';
import { createLibrary, type Library } from '../../../electron/engine/library/create-library.ts';
import { createMirrorSync, type MirrorSync } from '../../../electron/engine/mirror/sync/create-mirror-sync.ts';
import { NO_FAILPOINTS } from '../../../electron/engine/ports/failpoints.ts';
import type { Logger } from '../../../electron/engine/ports/logger.ts';
import { Scheduler } from '../../../electron/engine/scheduler/scheduler.ts';
import { probeSite } from '../../../electron/engine/sites/probe-site.ts';
import { SiteBreakers } from '../../../electron/engine/sites/site-breakers.ts';
import { PROBE_LANE, SiteProbes } from '../../../electron/engine/sites/site-probes.ts';
import type { Collection } from '../../../shared/api/collections.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import type { PodcastDetails } from '../../../shared/api/podcasts.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { type EditableMedia, editableOf } from '../../../shared/model/edits/edit-ops.ts';
import { aSite } from '../../helpers/data/sites.ts';
import { simulatedClient } from '../world/site-client.ts';
import { tellsOfStore } from '../world/tamper.ts';
import type { Life } from '../world/virtual-time.ts';
import type { ClientDatabase } from './client-database.ts';
import { podcastValuesOf, valuesOf } from './collection-model.ts';
import { withNotedReads } from './collection-reads.ts';
import type { EditWorld } from './edit-world.ts';

export interface ComputerParts {
  world: EditWorld;
  database: ClientDatabase;
  /** The folder with the mirrors. */
  profileDir: string;
  sites: readonly string[];
}

const COLLECTION_PATH = /^\/api2\/collections\/(\d+)(\/podcast-details)?(?:\/|$)/;
const ITEM_PATH = /^\/api2\/media\/(\d+)(?:\/|$)/;

/** One run of the real journal and the real mirror in the simulated world, wired as in the engine. */
export class EditProgram {
  readonly life: Life;
  readonly edits: Edits;
  readonly mirrorSync: MirrorSync;
  readonly library: Library;
  readonly #parts: ComputerParts;
  readonly #scheduler: Scheduler;
  readonly #breakers: SiteBreakers;
  /** The item as this run read it last, by `site id`. */
  readonly #read = new Map<string, EditableMedia>();
  /** The collections as this run read them last, by `site id`. */
  readonly #readCollections = new Map<string, Record<string, string>>();
  isOpen = false;

  constructor(parts: ComputerParts, life: Life) {
    const { world, profileDir } = parts;
    const { time, prng } = world;
    this.#parts = parts;
    this.life = life;
    const clock = time.clockFor(life, () => prng.int(0, 20));
    const logger = this.#logger();
    const scheduler = new Scheduler({ clock, logger });
    const breakers = new SiteBreakers(clock);
    this.#scheduler = scheduler;
    this.#breakers = breakers;
    const clientFor = (site: string) => this.#clientFor(site);
    const probe = async (site: string) => probeSite(clientFor(site));
    const probes = scheduler.add(
      (lane) => new SiteProbes({ breakers, probe, onDidHalfOpen: () => scheduler.wake() }, lane),
    );
    breakers.onDidOpen.on(() => probes.plan());
    breakers.onDidClose.on(() => scheduler.wakeSoon());
    scheduler.onDidJump.on(() => {
      breakers.probeNow();
      scheduler.wake();
    });
    scheduler.onDidEnd.on(({ kind }) => kind === PROBE_LANE && scheduler.wake());
    const accounts = { clientFor, list: () => parts.sites.map((id) => aSite(id)), onDidChangeSites: () => () => {} };
    const hasCollections = world.scenario.hasCollections === true;
    this.mirrorSync = createMirrorSync({
      profileDir,
      clock,
      logger,
      failpoints: NO_FAILPOINTS,
      breakers,
      probe,
      scheduler,
      accounts,
      onDidComeBack: () => () => {},
      onDidChangeLibrary: (site) => hasCollections && this.library.noteSync(site),
      hasEdits: (site, id) => this.edits.hasOpen(site, id),
    });
    // The check of the database runs in a thread, which would take real time.
    this.mirrorSync.mirrors.check = async () => {};
    this.library = createLibrary({
      accounts,
      clock,
      mirrors: this.mirrorSync.mirrors,
      syncs: this.mirrorSync.syncs,
      edits: () => this.edits.ofLibrary,
    });
    this.edits = createEdits({
      database: parts.database.openFor(life),
      clock,
      logger,
      breakers,
      clientFor,
      probe,
      scheduler,
      random: { bytes: (length) => new Uint8Array(length), uuid: () => uuidOf(world) },
      mirrors: this.mirrorSync.mirrors,
      userIdOf: (site) => site,
      itemsOf: (query) => listMedia(clientFor(query.siteId), { sort: 'created_on', order: 'asc' }),
      uploads: { ownsMedia: () => false, openCreations: () => [] },
      // Commands about edits run in slices, so that failures occur between them.
      sliceRows: 1,
      startLane: () => scheduler.startOnly([EDIT_LANE, EDIT_COMMAND_LANE, PROBE_LANE]),
      onChanged: (siteId, mediaId) => {
        if (hasCollections) this.library.noteChange({ siteId, collectionId: null, mediaId });
        else this.mirrorSync.syncs.passSoon(siteId);
      },
      onCollectionRead: (site, id, { collection, podcast, isGone }) => {
        if (collection !== null) this.mirrorSync.mirrors.putCollection(site, collection, podcast);
        else if (isGone) this.mirrorSync.mirrors.removeCollection(site, id);
      },
    });
  }

  async start(): Promise<void> {
    await this.mirrorSync.open();
    if (!this.life.alive) return;
    this.edits.resume();
    this.#scheduler.start();
    this.mirrorSync.start();
    this.isOpen = true;
  }

  /** The account is signed in again. */
  signedIn(site: string): void {
    if (this.#breakers.closeAfterSignIn(site)) this.#scheduler.wake();
  }

  clientFor(site: string): SiteClient {
    return this.#clientFor(site);
  }

  /** The item as this run read it last; null when it did not. */
  lastRead(site: string, id: string): EditableMedia | null {
    return this.#read.get(`${site} ${id}`) ?? null;
  }

  async stop(): Promise<void> {
    this.edits.stop();
    this.library.stop();
    await this.mirrorSync.stop();
    await this.#scheduler.stop();
  }

  /** The process has died: its files are closed as the system closes them, without a commit. */
  close(): void {
    for (const site of this.#parts.sites) {
      try {
        this.mirrorSync.mirrors.storeOf(site)?.database.close();
      } catch (error) {
        if (!String(error).includes('not open')) throw error;
      }
    }
  }

  #clientFor(site: string): SiteClient {
    const { world } = this.#parts;
    if (world.holds('signed-out', site) && world.prng.chance(0.3)) throw appError('sign-in.required');
    const client = withNotedReads(simulatedClient(world, this.life, site), site, world);
    return {
      ...client,
      request: (asked) => {
        const id = ITEM_PATH.exec(String(asked.target))?.[1];
        const known = id === undefined ? undefined : this.#read.get(`${site} ${id}`);
        if (known !== undefined && asked.method !== 'GET') world.noteKnown(site, asked.json, known);
        const collection = this.#readCollections.get(`${site} ${collectionIn(asked.target)}`);
        if (collection !== undefined) world.noteKnownCollection(asked.json, collection);
        return client.request(asked);
      },
      read: async (schema, target, query, signal) => {
        const value = await client.read(schema, target, query, signal);
        const id = ITEM_PATH.exec(String(target))?.[1];
        if (id !== undefined) this.#read.set(`${site} ${id}`, editableOf(value as MediaItem));
        this.#noteCollection(site, String(target), value);
        return value;
      },
    };
  }

  #noteCollection(site: string, target: string, value: unknown): void {
    const match = COLLECTION_PATH.exec(target);
    const key = `${site} ${match?.[1]}`;
    if (match === null || (match[2] === undefined && target.slice(match[0].length) !== '')) return;
    const read = match[2] === undefined ? valuesOf(value as Collection) : podcastValuesOf(value as PodcastDetails);
    this.#readCollections.set(key, { ...this.#readCollections.get(key), ...read });
  }

  #logger(): Logger {
    const { world } = this.#parts;
    return {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (event, fields) => {
        const text = JSON.stringify(fields ?? {});
        if (this.life.alive && !tellsOfStore(text)) world.fault(event, text);
      },
    };
  }
}

function collectionIn(target: unknown): string | undefined {
  return COLLECTION_PATH.exec(String(target))?.[1];
}

/** Lets code run that waits for a turn of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await turn();
}

function uuidOf({ prng }: EditWorld): string {
  const hex = () => prng.int(0, 0xffff).toString(16).padStart(4, '0');
  return `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-a${hex().slice(1)}-${hex()}${hex()}${hex()}`;
}
