import { join } from 'node:path';
import { ARTIFICIAL_ROOT_ID } from '../../shared/api/collections.ts';
import { TOKENINFO_PATH } from '../../shared/api/oauth.ts';
import { AppError, appError } from '../../shared/contract/app-error.ts';
import { isLocalId } from '../../shared/model/edits/collection-ops.ts';
import { uploadOutcomes } from '../../shared/model/upload-counts.ts';
import { type Accounts, createAccounts } from './account/accounts.ts';
import { withFailpoints as withKeychainFailpoints } from './account/failpoint-keychain.ts';
import { Emitter } from './common/emitter.ts';
import type { Handlers } from './common/handlers.ts';
import { engineChecks } from './doctor/engine-checks.ts';
import { runDoctor } from './doctor/run-doctor.ts';
import { changeUntouched } from './edits/change-untouched.ts';
import { describeItems, fieldsOfItem } from './edits/describe-items.ts';
import { createEdits } from './edits/edits.ts';
import { EDIT_LANE } from './edits/replay/edit-jobs.ts';
import type { Engine, EngineHost } from './engine.ts';
import { createFileChanges } from './item-files/file-changes.ts';
import type { CollectionIndex } from './library/collection-index.ts';
import { createLibrary, type Library } from './library/create-library.ts';
import { createFiles, TTL_SECONDS } from './library/files/create-files.ts';
import { createDownloads } from './library/files/downloads.ts';
import { createSavedSearches } from './library/saved-searches.ts';
import { THUMBNAIL_LIMITS } from './library/thumbnails/fetch-thumbnail.ts';
import { createThumbnailCache, THUMBNAIL_CACHE_BYTES } from './library/thumbnails/thumbnail-cache.ts';
import { createThumbnails } from './library/thumbnails/thumbnails.ts';
import { manifestHandlers } from './manifest/manifests.ts';
import { createMediaFacts } from './media-tags/media-facts.ts';
import { mediaFactsHandlers } from './media-tags/media-facts-handlers.ts';
import { createTagThread } from './media-tags/tag-thread.ts';
import { createMirror } from './mirror/sync/create-mirror.ts';
import { chokidarEvents } from './ports/chokidar-events.ts';
import { NO_FAILPOINTS } from './ports/failpoints.ts';
import { withTimeouts } from './ports/files-with-timeouts.ts';
import { createCacheFolder } from './ports/node-cache-folder.ts';
import { nodeClock } from './ports/node-clock.ts';
import { createNodeDisks } from './ports/node-disks.ts';
import { createFileMover } from './ports/node-file-mover.ts';
import { nodeFiles } from './ports/node-files.ts';
import { createFolderWalker } from './ports/node-folder-walker.ts';
import { HashThreads } from './ports/node-hash-threads.ts';
import { createDiskOf } from './ports/node-mounts.ts';
import { createNodeOpenFiles } from './ports/node-open-files.ts';
import { createNodeOutbox } from './ports/node-outbox.ts';
import { nodePartFiles } from './ports/node-part-files.ts';
import { nodeProfileFacts } from './ports/node-profile-facts.ts';
import { nodeSaveFile } from './ports/node-save-file.ts';
import { createNodeVolumes } from './ports/node-volumes.ts';
import { clockAheadMs } from './sites/clock-ahead.ts';
import { keepsBreakerOpen } from './sites/site-breakers.ts';
import { sqliteCodeOf } from './store/database.ts';
import { openQueueStore, type QueueStore } from './store/open-queue-store.ts';
import { createSiteRecords } from './store/site-store.ts';
import { withFailpoints as withSenderFailpoints } from './uploads/delivery/sender/failpoint-sender.ts';
import { createSender } from './uploads/delivery/sender/send-form.ts';
import { fileDigests } from './uploads/duplicates/file-digests.ts';
import { withFailpoints as withMoverFailpoints } from './uploads/follow-ups/failpoint-mover.ts';
import { SettingStore } from './uploads/journal/setting-store.ts';
import { createUploads } from './uploads/uploads.ts';
import { createWatch } from './watch/watch.ts';

/**
 * Puts the engine together: the only place where its parts meet. See `Engine` for what it promises.
 * Throws `AppError` `profile.in-use` and `profile.newer`.
 */
export async function createEngine(host: EngineHost): Promise<Engine> {
  const { clock, logger, failpoints = NO_FAILPOINTS } = host;
  const store = await openQueueStore(host.profileDir, clock, { failpoints, logger });
  try {
    return await assemble(host, store);
  } catch (error) {
    // A later try in this process finds the profile free.
    store.close();
    throw error;
  }
}

async function assemble(host: EngineHost, store: QueueStore): Promise<Engine> {
  const { clock, random, logger, openers, failpoints = NO_FAILPOINTS } = host;
  const keychain = withKeychainFailpoints(host.keychain, failpoints);
  const notices = store.notices.map((notice) => notice.toData());
  const userAgent = `Mediadesk/${host.version} (${host.platform})`;

  const records = createSiteRecords(store.database);
  const accounts = createAccounts({ records, keychain, clock, random, logger, openers, userAgent, failpoints });
  const thumbnails = createThumbnails({
    ...{ accounts, clock, logger, userAgent, limits: THUMBNAIL_LIMITS },
    cache: createThumbnailCache({
      folder: createCacheFolder(join(host.profileDir, 'thumbnails')),
      limitBytes: host.thumbnailCacheBytes ?? THUMBNAIL_CACHE_BYTES,
      clock,
    }),
  });
  // Threads run in real time, whatever clock the host brings.
  const hashThreads = new HashThreads({
    clock: nodeClock,
    onLost: (reason) => logger.warn('engine.hash-thread-lost', { reason }),
  });
  const files = withTimeouts(nodeFiles, clock, createDiskOf(process.platform, clock));
  const tags = createTagThread(nodeClock);
  const mediaFacts = createMediaFacts({ files, tags, clock: nodeClock });
  const mover = withMoverFailpoints(createFileMover(host.trash ?? null, files), failpoints);
  // The journal of edits is opened after the uploads.
  const newCollectionChanges = new Emitter<string>();
  const uploads = createUploads({
    database: store.database,
    clock,
    random,
    files,
    digests: fileDigests,
    mediaFacts,
    disks: host.disks ?? createNodeDisks(host.platform),
    mover,
    logger,
    sendForm: withSenderFailpoints(createSender(host.hashes ?? hashThreads), failpoints),
    failpoints,
    ...(host.sliceRows === undefined ? {} : { sliceRows: host.sliceRows }),
    parallelTransfers: host.parallelTransfers ?? null,
    clientFor: accounts.clientFor,
    probe: (siteId) => probe(accounts, siteId),
    reconnect: () => accounts.reconnect(),
    siteName: (siteId) => records.get(siteId)?.baseUrl ?? siteId,
    async collectionName(siteId, collectionId) {
      if (collectionId === ARTIFICIAL_ROOT_ID) throw appError('api.not-found', { details: { collectionId } });
      const made = isLocalId(collectionId) ? edits.newCollections.stateOf(siteId, collectionId) : null;
      if (made?.kind === 'waiting') return made.name;
      const { collection } = await library.handlers['library.collection']({ siteId, collectionId });
      return collection.displayName;
    },
    items: {
      get(siteId, mediaId) {
        const item = mirror.mirrors.items(siteId, [mediaId]).get(mediaId);
        const effective = item === undefined ? null : edits.effective(siteId, item);
        return effective && { fields: fieldsOfItem(effective), collectionId: effective.collectionId };
      },
      collectionName: (siteId, collectionId) =>
        mirror.mirrors.collections(siteId)?.find(({ id }) => id === collectionId)?.displayName ?? null,
      hasEditedTags: (siteId, mediaId) => edits.hadOp(siteId, mediaId, ['add-tag', 'remove-tag']),
      describe: (siteId, descriptions, label) => describeItems(edits, siteId, descriptions, label),
    },
    newCollections: {
      stateOf: (siteId, localId) => edits.newCollections.stateOf(siteId, localId),
      onDidChange: (listener) => newCollectionChanges.on(listener),
    },
    isOfEdit: (siteId, mediaId) => edits.hasCreatedItem(siteId, mediaId),
  });

  const mirror = createMirror({
    ...{ profileDir: host.profileDir, accounts, clock, logger, failpoints, queue: uploads.queue },
    breakers: uploads.breakers,
    onDidChangeLibrary: (siteId) => library.noteSync(siteId),
    hasEdits: (siteId, mediaId) => edits.hasOpen(siteId, mediaId),
  });
  const library = createLibrary({
    ...{ accounts, clock, logger, copies: mirror },
    edits: () => edits.media,
    collectionEdits: () => edits.collections,
  });

  const searches = createSavedSearches({
    ...{ texts: new SettingStore(store.database), accounts, mirrors: mirror.mirrors, random, logger },
  });

  const itemFiles = createFiles({
    ...{ accounts, clock, userAgent, onChanged: (change) => library.noteChange(change), edits: () => edits.media },
    ttlSeconds: host.contentTtlSeconds ?? TTL_SECONDS,
  });

  const fileChanges = createFileChanges({
    ...{ clock, random, logger, userAgent, files, ttlSeconds: host.contentTtlSeconds ?? TTL_SECONDS },
    clientFor: accounts.clientFor,
    itemOf: (siteId, mediaId) => library.handlers['library.media']({ siteId, mediaId }),
    collectionOf: (siteId, collectionId) => library.handlers['library.collectionDetail']({ siteId, collectionId }),
    outbox: createNodeOutbox(join(host.profileDir, 'outbox')),
    uploads: {
      addToItem: uploads.addToItem,
      openAdditions: uploads.openAdditions,
      get: (id) => uploads.rows.store.get(id),
      onDidChange: (listener) => uploads.rows.journal.onDidChange.on(({ after }) => listener(after)),
    },
  });

  const downloads = createDownloads({
    ...{ clock, random, userAgent, mover, parts: nodePartFiles, ttlSeconds: host.contentTtlSeconds ?? TTL_SECONDS },
    clientFor: accounts.clientFor,
    knownSha256: (siteId, fileId) => uploads.rows.store.sha256Of(siteId, fileId),
  });

  const walker = host.folderWalker ?? createFolderWalker(nodeClock);
  const watch = createWatch({
    ...{ database: store.database, clock, random, logger, files, digests: fileDigests, queue: uploads.queue },
    ...{ mediaFacts, uploads: uploads.rows },
    isKnownSite: (siteId) => records.get(siteId) !== null,
    editItems: (siteId, changes, label) =>
      changeUntouched({ ...edits, collections: (id) => listableCollections(library, id) }, siteId, changes, label),
    walker,
    events: host.folderEvents ?? chokidarEvents,
    volumes: host.volumes ?? createNodeVolumes(process.platform),
    openFiles: host.openFiles ?? createNodeOpenFiles(process.platform),
  });

  const edits = createEdits({
    ...{ database: store.database, clock, random, logger, breakers: uploads.breakers, mirror: mirror.mirrors },
    ...(host.sliceRows === undefined ? {} : { sliceRows: host.sliceRows }),
    clientFor: accounts.clientFor,
    probe: (siteId) => probe(accounts, siteId),
    userIdOf: (siteId) => records.get(siteId)?.userId ?? null,
    itemsOf: (query) => library.itemsOf(query),
    uploads: uploads.rows.store,
    addKind: (make) => uploads.queue.addKind(make),
    startLane: () => uploads.queue.startOnly([EDIT_LANE]),
    onChanged: (siteId, mediaId) => library.noteChange({ siteId, collectionId: null, mediaId }),
    onCollectionRead(siteId, collectionId, { collection, podcast, isGone }) {
      if (collection !== null) mirror.mirrors.putCollection(siteId, collection, podcast);
      else if (isGone) mirror.mirrors.removeCollection(siteId, collectionId);
    },
  });

  const subscriptions = [
    edits.newCollections.onDidChange((siteId) => newCollectionChanges.emit(siteId)),
    accounts.onDidChangeSites((sites) => searches.forgetOthers(sites)),
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
    uploads.onDidChangeItem(({ siteId, collectionId, mediaId }) =>
      library.noteChange({ siteId, collectionId, mediaId }),
    ),
  ];
  const signals = host.signals?.onDidComeBack((cause) => {
    logger.info('engine.came-back', { cause });
    uploads.queue.comeBack();
  });
  if (signals) subscriptions.push(signals);
  await accounts.start();
  searches.forgetOthers(accounts.list());
  await mirror.open();
  edits.resume();
  await fileChanges.tidy();

  const doctorTools = {
    profileDir: host.profileDir,
    database: store.database,
    clock,
    files: nodeFiles,
    facts: nodeProfileFacts,
    keychain,
    keychainProblem: () => accounts.keychainProblem(),
    sites: () => accounts.list(),
    clientFor: accounts.clientFor,
    counts: () => uploads.feed.totals().counts,
  };

  const mediaFactsCalls = mediaFactsHandlers({ read: mediaFacts, tags });

  const handlers: Handlers = {
    'app.info': async () => ({
      version: host.version,
      platform: host.platform,
      profileDir: host.profileDir,
      keychain: { kind: keychain.kind, problem: accounts.keychainProblem()?.toData() ?? null },
      presets: host.presets,
      theme: host.theme?.() ?? 'system',
      hourCycle: host.hourCycle ?? 'h23',
      notices,
    }),
    'app.doctor': (options) => runDoctor(engineChecks(doctorTools, options?.all ?? false), clock.now()),
    'sites.list': async () => accounts.list(),
    'sites.signIn': (input) => accounts.signIn(input),
    'sites.cancelSignIn': async () => {
      accounts.cancelSignIn();
      return null;
    },
    'sites.unsent': async ({ siteId }) => {
      if (records.get(siteId) === null) throw appError('site.unknown', { details: { siteId } });
      const { pending, failed, needsDecision } = uploadOutcomes(uploads.rows.journal.tallyOfSite(siteId));
      return { edits: edits.unsentOf(siteId), uploads: { pending, failed, needsDecision } };
    },
    'sites.signOut': async ({ siteId }) => {
      await accounts.signOut(siteId);
      return null;
    },
    'sites.clock': async ({ siteId }) => ({ aheadMs: await clockAheadMs(accounts.clientFor(siteId), clock) }),
    ...library.handlers,
    ...mirror.handlers,
    ...uploads.handlers,
    ...watch.handlers,
    ...edits.handlers,
    ...manifestHandlers({
      ...{ files: nodeFiles, save: nodeSaveFile, clock, random, readItems: edits.readItems, keepPlan: edits.keepPlan },
      realPath: (path) => walker.realPath(path),
      collections: (siteId) => listableCollections(library, siteId),
    }),
    ...itemFiles.handlers,
    ...fileChanges.handlers,
    ...downloads.handlers,
    ...searches.handlers,
    ...mediaFactsCalls.handlers,
  };

  const events = {
    onDidChangeSites: (listener: Parameters<Accounts['onDidChangeSites']>[0]) => accounts.onDidChangeSites(listener),
    onDidChangeSignIn: (listener: Parameters<Accounts['onDidChangeSignIn']>[0]) => accounts.onDidChangeSignIn(listener),
    onDidChangeLibrary: library.onDidChangeLibrary,
    onDidChangeSync: mirror.onDidChangeSync,
    onDidChangeDownloads: downloads.onDidChange,
    onDidProgressDeletion: (listener: Parameters<typeof edits.onDidProgressDeletion.on>[0]) =>
      edits.onDidProgressDeletion.on(listener),
    onDidChangeUploads: (listener: Parameters<typeof uploads.feed.onDidChange.on>[0]) =>
      uploads.feed.onDidChange.on(listener),
    onDidChangeSettings: (listener: Parameters<typeof uploads.settings.onDidChange.on>[0]) =>
      uploads.settings.onDidChange.on(listener),
    onDidChangeWatch: (listener: Parameters<typeof watch.feed.onDidChange.on>[0]) =>
      watch.feed.onDidChange.on(listener),
    onDidChangeEdits: (listener: Parameters<typeof edits.feed.onDidChange.on>[0]) =>
      edits.feed.onDidChange.on(listener),
    onDidProgressEditPlan: (listener: Parameters<typeof edits.onDidProgress.on>[0]) => edits.onDidProgress.on(listener),
  };

  let stopping: Promise<void> | null = null;
  const stop = async () => {
    edits.stop();
    await watch.stop();
    await downloads.stop();
    await mirror.stop();
    await uploads.stop();
    await hashThreads.stop();
    await mediaFactsCalls.stop();
    for (const dispose of subscriptions) dispose();
    library.stop();
    await thumbnails.stop();
    itemFiles.stop();
    fileChanges.stop();
    await accounts.stop();
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
    on: (name, listener) => events[name](listener as never),
    thumbnail: (ref, signal) => thumbnails.get(ref, signal),
    content: itemFiles.content,
    startUploads: () => uploads.queue.start(),
    startWatching: () => watch.start(),
    startSyncing: () => mirror.start(),
    startEdits: () => uploads.queue.startOnly([EDIT_LANE]),
    whenEditsIdle: () => edits.whenIdle(),
    whenUploadsIdle: () => uploads.queue.whenIdle(),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** A full disk, or a database that another program has locked, is a fault of the store and is reported as such. */
function asStoreFault(error: unknown): unknown {
  const sqliteCode = sqliteCodeOf(error);
  return sqliteCode === null ? error : appError('profile.store-failing', { details: { sqliteCode }, cause: error });
}

/** Returns the collections that an account may list; null when it may not list any. */
async function listableCollections(library: Library, siteId: string): Promise<CollectionIndex | null> {
  try {
    return await library.collectionIndex(siteId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'api.forbidden') return null;
    throw error;
  }
}

/** Resolves when the site answers, whatever it says; throws what concerns the whole site. */
async function probe(accounts: Accounts, siteId: string): Promise<void> {
  try {
    await accounts.clientFor(siteId).request({ method: 'GET', target: TOKENINFO_PATH });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (keepsBreakerOpen(error.code)) throw error;
  }
}
