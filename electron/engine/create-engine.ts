import { appError, toAppError } from '../../shared/contract/app-error.ts';
import type { EngineEventName, EventData } from '../../shared/contract/contract.ts';
import { openContentAddress } from './api/content-stream.ts';
import { startEditLane } from './assemble-edits.ts';
import type { Engine, EngineHost } from './engine.ts';
import { createBase, type EngineBase } from './engine-base.ts';
import { engineHandlers } from './engine-handlers.ts';
import { assembleParts, type EngineParts } from './engine-parts.ts';
import { NO_FAILPOINTS } from './ports/failpoints.ts';
import { holdRestored } from './restored-library.ts';
import { copyQueueStore } from './store/copy-queue-store.ts';
import { sqliteCodeOf } from './store/database.ts';
import { openQueueStore, type QueueStore } from './store/open-queue-store.ts';
import type { StoreHealth } from './store/store-health.ts';

/**
 * Creates the engine. Throws `AppError` `profile.in-use` when another process has the profile, `profile.newer` for a profile of a
 * newer version, `profile.disk-full` when its disk is full, and `profile.unwritable` when nothing can be stored in it for another
 * reason.
 */
export async function createEngine(host: EngineHost): Promise<Engine> {
  const { clock, logger, failpoints = NO_FAILPOINTS } = host;
  const store = await openQueueStore(host.profileDir, clock, { failpoints, logger });
  try {
    return await assemble(host, store);
  } catch (error) {
    // Frees the profile for a later attempt in this process.
    store.close();
    throw error;
  }
}

/**
 * Creates an engine on a copy of the profile that another process uses, to read lists, receipts and settings. Changes are lost; the
 * caller starts nothing. Throws `profile.newer`, and errors of SQLite.
 */
export async function createEngineOnCopy(host: EngineHost): Promise<Engine> {
  const store = await copyQueueStore(host.profileDir, host.clock);
  try {
    return await assemble(host, store, true);
  } catch (error) {
    store.close();
    throw error;
  }
}

async function assemble(host: EngineHost, store: QueueStore, isCopy = false): Promise<Engine> {
  const base = createBase(host, store.database, isCopy);
  const parts = assembleParts(base);
  const disconnect = connectParts(base, parts);
  const { uploads, mirrorSync, watch, edits } = parts;
  try {
    // The other process does everything else that a start does, in the profile itself.
    await (isCopy ? base.accounts.start() : openParts(base, parts));
  } catch (error) {
    // Without the stop, opened mirrors, timers and unfinished undos would stay active after the failed start.
    await stopParts(base, parts, disconnect).catch((reason: unknown) =>
      base.logger.error('engine.not-stopped', { error: toAppError(reason).toData() }),
    );
    throw error;
  }

  const notices = store.notices.map((notice) => notice.toData());
  const handlers = engineHandlers(base, parts, notices);
  const events = eventsOf(base, parts, store.health);
  const elsewhere = base.network.connections.pool();
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    elsewhere.close();
    await stopParts(base, parts, disconnect);
    store.close();
  };

  return {
    call: async (name, input) => {
      if (stopping) throw appError('internal', { details: { reason: 'the engine was stopped' } });
      try {
        return await handlers[name](input);
      } catch (error) {
        throw asStoreFault(error);
      }
    },
    on: (name, listener) => events[name](listener),
    thumbnail: (ref, signal) => parts.thumbnails.get(ref, signal),
    content: parts.itemContents.content,
    open: (url, signal) =>
      openContentAddress({
        url,
        signal,
        from: url,
        connections: elsewhere,
        userAgent: base.userAgent,
        range: null,
        ifRange: null,
      }),
    startUploads() {
      uploads.queue.start();
      base.scheduler.start();
    },
    startWatching: () => watch.start(),
    startSyncing: () => mirrorSync.start(),
    startEdits: () => startEditLane(base),
    whenEditsIdle: () => edits.whenIdle(),
    whenEditsWait: () => edits.whenWaiting(),
    whenUploadsIdle: () => uploads.queue.whenIdle(),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/**
 * Prepares the parts for calls. Accounts first: their states decide which mirrors are opened and which searches are kept. Then
 * mirrors: `edits.resume` sets overlays in them. Nothing is sent before a call or before `start…`.
 */
async function openParts({ accounts, breakers }: EngineBase, parts: EngineParts): Promise<void> {
  parts.uploads.queue.repair();
  await accounts.start();
  holdRestored(accounts.list(), { breakers, queue: parts.uploads.queue });
  parts.searches.forgetOthers(accounts.list());
  await parts.mirrorSync.open();
  parts.edits.resume();
  await parts.fileChanges.tidy();
}

/** Subscribes parts to each other where no part owns the subscription. Returns the function that ends all these subscriptions. */
function connectParts({ host, accounts, breakers, network, logger }: EngineBase, parts: EngineParts): () => void {
  const { uploads, library, mirrorSync, thumbnails, searches, edits, newCollectionChanges } = parts;
  const ends = [
    edits.newCollections.onDidChange((siteId) => newCollectionChanges.emit(siteId)),
    network.onDidChange(() => uploads.queue.comeBack()),
    accounts.onDidChangeSites((sites) => searches.forgetOthers(sites)),
    accounts.onDidChangeSites((sites) => holdRestored(sites, { breakers, queue: uploads.queue })),
    accounts.onDidChangeSites((sites) => {
      for (const site of sites) {
        if (site.state === 'signed-in') uploads.queue.siteSignedIn(site.id);
        else edits.forgetSite(site.id);
      }
    }),
    library.onDidChangeLibrary(({ siteId, mediaId }) => {
      if (mediaId !== null) thumbnails.forget({ siteId, subject: 'media', id: mediaId });
    }),
    uploads.onDidSetThumbnail(({ siteId, collectionId }) =>
      thumbnails.forget({ siteId, subject: 'collections', id: collectionId }),
    ),
    // Lists of the library do not show captions: without this, the copy would have them with its next daily sweep.
    uploads.onDidSendCaptions(({ siteId, collectionId, mediaId }) => {
      if (mediaId === null) return;
      mirrorSync.mirrors.noteCaptions(siteId, mediaId);
      library.noteChange({ siteId, collectionId, mediaId });
    }),
    uploads.onDidChangeItem(({ siteId, collectionId, mediaId }) =>
      library.noteChange({ siteId, collectionId, mediaId }),
    ),
  ];
  const endSignals = host.signals?.onDidComeBack((cause) => {
    logger.info('engine.came-back', { cause });
    void network
      .comeBack()
      .catch((error: unknown) => logger.warn('network.not-reloaded', { reason: String(error) }))
      .then(() => uploads.queue.comeBack());
  });
  if (endSignals) ends.push(endSignals);
  return () => {
    for (const end of ends) end();
  };
}

type Events = { [N in EngineEventName]: (listener: (data: EventData<N>) => void) => () => void };

function eventsOf(
  { accounts }: EngineBase,
  { uploads, library, mirrorSync, downloads, watch, edits, admin }: EngineParts,
  health: StoreHealth,
): Events {
  return {
    onDidChangeSites: (listener) => accounts.onDidChangeSites(listener),
    onDidChangeSignIn: (listener) => accounts.onDidChangeSignIn(listener),
    onDidChangeStore: (listener) => health.onDidChange((problem) => listener({ problem })),
    onDidChangeLibrary: (listener) => library.onDidChangeLibrary(listener),
    onDidChangeSync: (listener) => mirrorSync.onDidChangeSync(listener),
    onDidChangeDownloads: (listener) => downloads.onDidChange(listener),
    onDidProgressDeletion: (listener) => edits.onDidProgressDeletion.on(listener),
    onDidChangeUploads: (listener) => uploads.feed.onDidChange.on(listener),
    onDidChangeSettings: (listener) => uploads.settings.onDidChange.on(listener),
    onDidChangeWatch: (listener) => watch.feed.onDidChange.on(listener),
    onDidChangeEdits: (listener) => edits.feed.onDidChange.on(listener),
    onDidProgressEditPlan: (listener) => edits.onDidProgress.on(listener),
    onDidChangeDirectory: (listener) => admin.onDidChange.on(listener),
    onDidLoseRights: (listener) => admin.onDidLoseRights.on(listener),
    onDidChangeTags: (listener) => admin.onDidChangeTags.on(listener),
    onDidProgressTagMerge: (listener) => admin.onDidProgressTagMerge.on(listener),
  };
}

/** Stops the parts that add work first, then the work itself, and last the accounts, whose clients all other parts use. */
async function stopParts(base: EngineBase, parts: EngineParts, disconnect: () => void): Promise<void> {
  parts.edits.stop();
  await parts.watch.stop();
  await parts.downloads.stop();
  await parts.mirrorSync.stop();
  await parts.uploads.stop();
  await base.scheduler.stop();
  parts.uploads.close();
  await base.hashThreads.stop();
  await parts.mediaFactsCalls.stop();
  disconnect();
  parts.admin.stop();
  parts.library.stop();
  await parts.thumbnails.stop();
  parts.itemContents.stop();
  parts.fileChanges.stop();
  await base.accounts.stop();
}

/** A full disk, or a database that another program has locked, is a fault of the store and is reported as such. */
function asStoreFault(error: unknown): unknown {
  const sqliteCode = sqliteCodeOf(error);
  return sqliteCode === null ? error : appError('profile.store-failing', { details: { sqliteCode }, cause: error });
}
