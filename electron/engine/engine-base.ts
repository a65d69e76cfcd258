import { type Accounts, createAccounts } from './account/accounts.ts';
import { keychainWithFailpoints } from './account/failpoint-keychain.ts';
import type { SiteRecords } from './account/site-records.ts';
import type { Emitter } from './common/emitter.ts';
import type { Edits } from './edits/edits.ts';
import type { EngineHost } from './engine.ts';
import type { Library } from './library/create-library.ts';
import { createMediaFacts, type ReadMediaFacts } from './media-tags/media-facts.ts';
import { createTagThread, type TagParser } from './media-tags/tag-thread.ts';
import type { Mirrors } from './mirror/mirrors.ts';
import { createNetwork, type Network } from './network/settings/create-network.ts';
import type { Clock } from './ports/clock.ts';
import { type Failpoints, NO_FAILPOINTS } from './ports/failpoints.ts';
import type { FileMover } from './ports/file-mover.ts';
import type { Files } from './ports/files.ts';
import type { FolderWalker } from './ports/folder-walker.ts';
import type { Keychain } from './ports/keychain.ts';
import type { Logger } from './ports/logger.ts';
import type { Random } from './ports/random.ts';
import { withTimeouts } from './ports/system/files-with-timeouts.ts';
import { nodeClock } from './ports/system/node-clock.ts';
import { createFileMover } from './ports/system/node-file-mover.ts';
import { nodeFiles } from './ports/system/node-files.ts';
import { createFolderWalker } from './ports/system/node-folder-walker.ts';
import { HashThreads } from './ports/system/node-hash-threads.ts';
import { createDiskOf } from './ports/system/node-mounts.ts';
import { createNodeVolumes } from './ports/system/node-volumes.ts';
import { readSystemCertificates } from './ports/system/system-certificates.ts';
import type { Volumes } from './ports/volumes.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { probeSite } from './sites/probe-site.ts';
import { SiteBreakers } from './sites/site-breakers.ts';
import type { Database } from './store/database.ts';
import { SettingStore } from './store/setting-store.ts';
import { createSiteRecords } from './store/site-store.ts';
import { moverWithFailpoints } from './uploads/follow-ups/failpoint-mover.ts';

/**
 * The state that the parts of an engine share: the ports, the database, the accounts, and the scheduler of all background work.
 */
export interface EngineBase {
  host: EngineHost;
  database: Database;
  /** Whether the database is a copy, and another process works on the profile. */
  isCopy: boolean;
  clock: Clock;
  random: Random;
  logger: Logger;
  failpoints: Failpoints;
  keychain: Keychain;
  userAgent: string;
  records: SiteRecords;
  network: Network;
  accounts: Accounts;
  /** Each part adds its kinds of work when it is created; `createEngine` starts and stops the scheduler. */
  scheduler: Scheduler;
  /** The circuit breakers of all accounts, shared by all work that uses a library. */
  breakers: SiteBreakers;
  /** The file system, with a time limit for each operation. */
  files: Files;
  mover: FileMover;
  volumes: Volumes;
  hashThreads: HashThreads;
  tags: TagParser;
  mediaFacts: ReadMediaFacts;
  walker: FolderWalker;
  /** Resolves when the site answers, whatever the status is; throws errors that concern the whole site: see `probeSite`. */
  probe(siteId: string): Promise<void>;
}

/**
 * Parts that other parts call at run time although they are created later. No order of creation avoids this: uploads get names
 * and values from the journal of edits and the library, while edits need the rows of uploads, and the queue notifies the mirrors
 * when the computer is online again. No part calls them before all parts exist.
 */
export interface LaterParts {
  edits(): Edits;
  library(): Library;
  mirrors(): Mirrors;
  /** Emits the site whose new collections changed. Uploads subscribe before the journal of edits exists. */
  newCollectionChanges: Emitter<string>;
}

/** Creates the state that the parts of an engine share. */
export function createBase(host: EngineHost, database: Database, isCopy: boolean): EngineBase {
  const { clock, random, logger, openers, failpoints = NO_FAILPOINTS } = host;
  const keychain = keychainWithFailpoints(host.keychain, failpoints);
  const userAgent = `Mediadesk/${host.version} (${host.platform})`;
  const records = createSiteRecords(database);
  const network = createNetwork({
    keychain,
    clock,
    logger,
    texts: new SettingStore(database),
    environment: host.environment ?? process.env,
    resolver: host.proxyResolver ?? null,
    readSystem: () => readSystemCertificates(host.platform, process.env),
  });
  const { connections, browser: browserNetwork } = network;
  const accounts = createAccounts({
    records,
    keychain,
    clock,
    random,
    logger,
    openers,
    userAgent,
    failpoints,
    connections,
    browserNetwork,
  });
  const files = withTimeouts(host.files ?? nodeFiles, clock, createDiskOf(host.platform, clock));
  // Threads run in real time, whatever clock the host supplies.
  const hashThreads = new HashThreads({
    clock: nodeClock,
    onLost: (reason) => logger.warn('engine.hash-thread-lost', { reason }),
  });
  const tags = createTagThread(nodeClock);
  return {
    host,
    database,
    isCopy,
    clock,
    random,
    logger,
    failpoints,
    keychain,
    userAgent,
    records,
    network,
    accounts,
    scheduler: new Scheduler({ clock, logger }),
    breakers: new SiteBreakers(clock),
    files,
    mover: moverWithFailpoints(createFileMover(host.trash ?? null, files), failpoints),
    volumes: host.volumes ?? createNodeVolumes(host.platform),
    hashThreads,
    tags,
    mediaFacts: createMediaFacts({ files, tags, clock: nodeClock }),
    walker: host.folderWalker ?? createFolderWalker(nodeClock),
    probe: async (siteId) => probeSite(accounts.clientFor(siteId)),
  };
}
