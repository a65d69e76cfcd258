import { z } from 'zod';
import { MAX_COLLECTION_NAME } from '../api/collection-fields.ts';
import { collectionSchema } from '../api/collections.ts';
import { podcastDetailsSchema } from '../api/podcasts.ts';
import { MAX_COLLECTIONS_PER_CHANGE } from '../model/collection-limit.ts';
import { MOST_LISTED_FILES } from '../model/preview-limit.ts';
import { PRIORITIES } from '../model/uploads/priorities.ts';
import { ACCESS_CALLS } from './access-calls.ts';
import { ADMIN_CALLS } from './admin/admin-calls.ts';
import { ADMIN_EVENTS } from './admin/admin-events.ts';
import { appErrorSchema } from './app-error.ts';
import { CALENDAR_CALLS } from './calendar.ts';
import { collectionMembersSchema } from './collection-members.ts';
import {
  collectionDeletionSchema,
  collectionDetailSchema,
  collectionMoveSchema,
  collectionMovesSchema,
  collectionPatchSchema,
  collectionsDeletedSchema,
  podcastPatchSchema,
  podcastSchema,
} from './collections.ts';
import { DIALOG_CALLS } from './dialog-calls.ts';
import { doctorReportSchema } from './doctor.ts';
import { DOWNLOAD_CALLS, downloadSchema } from './downloads.ts';
import { EDIT_CALLS } from './edit-calls.ts';
import { editsChangeSchema } from './edits.ts';
import { FILE_CALLS } from './file-calls.ts';
import {
  collectionRowSchema,
  fileFactsSchema,
  KNOWN_FIELDS,
  knownValueSchema,
  mediaDetailSchema,
  mediaPatchSchema,
  mediaQuerySchema,
  mediaWindowSchema,
  seenMediaSchema,
} from './library.ts';
import { syncStatusSchema } from './library-sync.ts';
import { MANIFEST_CALLS } from './manifest-calls.ts';
import { MEDIA_FACTS_CALLS } from './media-facts.ts';
import { mediaRef } from './media-ref.ts';
import { NETWORK_CALLS } from './network-calls.ts';
import { PRESET_CALLS } from './presets.ts';
import { SEARCH_CALLS } from './searches.ts';
import { settingsPatchSchema, settingsSchema } from './settings.ts';
import { SHELL_CALLS, themeSchema } from './shell-calls.ts';
import { SHELL_EVENTS } from './shell-events.ts';
import { SITE_CALLS } from './site-calls.ts';
import { siteSchema } from './sites.ts';
import { TITLE_CALLS } from './title-calls.ts';
import { UPDATE_CALLS } from './updates.ts';
import { describeUploadsInputSchema, describeUploadsOutputSchema, uploadDetailsSchema } from './upload-files.ts';
import {
  addUploadsInputSchema,
  addUploadsOutputSchema,
  batchSchema,
  cancelEffectsSchema,
  chooseCollectionInputSchema,
  chooseItemInputSchema,
  clearUploadsInputSchema,
  listedBatchSchema,
  listUploadsInputSchema,
  moveUploadsInputSchema,
  previewUploadsInputSchema,
  receiptHitsSchema,
  receiptSchema,
  resolveDuplicatesInputSchema,
  searchReceiptsInputSchema,
  undoClearInputSchema,
  uploadRowSchema,
  uploadSelectionSchema,
  uploadsPreviewSchema,
  uploadTotalsSchema,
} from './uploads.ts';
import {
  addWatchedFolderInputSchema,
  countFolderInputSchema,
  editWatchedFolderInputSchema,
  findWatchedFilesInputSchema,
  folderCountSchema,
  folderRefSchema,
  foundWatchedFilesSchema,
  listWatchedFilesInputSchema,
  offeredManifestSchema,
  previewWatchInputSchema,
  watchChangeSchema,
  watchedFilesSchema,
  watchedFolderSchema,
  watchPreviewSchema,
} from './watch.ts';
import { WAVEFORM_CALLS } from './waveforms.ts';

const nothing = z.null();
const siteRef = z.object({ siteId: z.string() });
const collectionRef = z.object({ siteId: z.string(), collectionId: z.string() });
const collectionIds = z.array(z.string()).min(1).max(MAX_COLLECTIONS_PER_CHANGE);
export type Theme = z.output<typeof themeSchema>;
const changedCount = z.object({ changed: z.number() });

/**
 * All calls of a screen: name, input and output.
 * `shell.*` is answered by the shell itself, all others by the engine.
 */
export const CALLS = {
  'app.info': {
    input: nothing,
    output: z.object({
      version: z.string(),
      platform: z.string(),
      profileDir: z.string(),
      keychain: z.object({ kind: z.enum(['system', 'memory', 'file']), problem: appErrorSchema.nullable() }),
      /** Filled into the sign-in form. */
      presets: z.object({ baseUrl: z.string(), clientId: z.string() }),
      /** The theme of the window; the shell saves it. */
      theme: themeSchema,
      /** Times of day with 12 or 24 hours, as the system shows them. */
      hourCycle: z.enum(['h12', 'h23']),
      /** The day with which weeks begin, as the system shows them: 0 is Sunday. */
      weekStart: z.literal([0, 1, 2, 3, 4, 5, 6]),
      /** Notices since the start, for example that an unreadable queue was renamed. */
      notices: z.array(appErrorSchema),
    }),
  },
  /**
   * Checks the profile, the files and the libraries; changes nothing. Waits for the answers of the libraries. `all`: checks every
   * complete upload in its library; otherwise, or for null, only the latest ones.
   */
  'app.doctor': { input: z.object({ all: z.boolean() }).nullable(), output: doctorReportSchema },

  'settings.get': { input: nothing, output: settingsSchema },
  /** Takes effect immediately; running transfers continue. Returns the new settings. */
  'settings.set': { input: z.object({ patch: settingsPatchSchema }), output: settingsSchema },

  ...NETWORK_CALLS,
  ...SITE_CALLS,

  'library.collections': {
    input: z.object({ siteId: z.string(), parentId: z.string().nullable() }),
    output: z.array(collectionRowSchema),
  },
  /** One collection, with its path: the names from the top of the tree to it. */
  'library.collection': {
    input: z.object({ siteId: z.string(), collectionId: z.string() }),
    output: z.object({ collection: collectionRowSchema, path: z.array(z.string()) }),
  },
  'library.findCollections': {
    input: siteRef.extend({ text: z.string().max(MAX_COLLECTION_NAME), limit: z.number().int().min(1).max(100) }),
    output: z.array(z.object({ collection: collectionRowSchema, path: z.array(z.string()) })),
  },
  'library.createCollection': {
    input: z.object({
      siteId: z.string(),
      parentId: z.string(),
      displayName: z.string().min(1).max(MAX_COLLECTION_NAME),
      isPodcast: z.boolean().default(false),
      /** The library generates it from the name when it is absent. Throws `collection.slug-taken`. */
      slug: z.string().min(1).max(255).optional(),
      /** XHTML. */
      description: z.string().max(200_000).optional(),
    }),
    output: collectionSchema.extend({
      /** It is not in the library yet: it has a local id, and waits in the list of edits. */
      isPending: z.boolean().optional(),
      pendingReason: appErrorSchema.nullable().optional(),
      groupId: z.string().optional(),
    }),
  },
  /** Reads a collection from the library with its pending edits; while it can’t be reached, from the copy on this computer. */
  'library.collectionDetail': { input: collectionRef, output: collectionDetailSchema },
  /**
   * Saves the given fields through the journal of edits. `expected`: values that the user saw; a field that someone else
   * changed since is not saved, and the call throws `collection.changed`. Throws `collection.slug-taken`. While the library
   * can’t be reached, the edit waits: `isPending`.
   */
  'library.updateCollection': {
    input: collectionRef.extend({ patch: collectionPatchSchema, expected: collectionPatchSchema }),
    output: collectionDetailSchema,
  },
  /** Who has which role in a collection. Read from the library only. Throws `collection.not-created-yet`. */
  'library.collectionMembers': { input: collectionRef, output: collectionMembersSchema },
  /** The library generates the slug again from the name. */
  'library.reslugifyCollection': { input: collectionRef, output: collectionDetailSchema },
  /** Moves fail independently, for example with `collection.is-root`, `collection.into-itself` or `collection.changed`. */
  'library.moveCollections': {
    input: siteRef.extend({ moves: z.array(collectionMoveSchema).min(1).max(MAX_COLLECTIONS_PER_CHANGE) }),
    output: collectionMovesSchema,
  },
  /** Counts what a deletion of these collections would remove. Changes nothing. Throws `collection.is-root`. */
  'library.planDeletion': { input: siteRef.extend({ collectionIds }), output: collectionDeletionSchema },
  /**
   * Deletes collections with all items and subcollections in them. Throws `collection.grew` before anything is deleted
   * when they contain anything that was not confirmed. One deletion at a time in each library.
   */
  'library.deleteCollections': {
    input: siteRef.extend({
      collectionIds,
      /** As `library.planDeletion` returned it. */
      confirmed: z.object({ collectionIds: z.array(z.string()), items: z.number().int().min(0) }),
    }),
    output: collectionsDeletedSchema,
  },
  /** Stops the running deletion: items in flight are still deleted. */
  'library.stopDeletion': { input: siteRef, output: nothing },
  /** Throws `collection.not-a-podcast`. */
  'library.podcast': { input: collectionRef, output: podcastSchema },
  /** Saves the given fields like `library.updateCollection`. */
  'library.updatePodcast': {
    input: collectionRef.extend({ patch: podcastPatchSchema, expected: podcastDetailsSchema.partial() }),
    output: podcastSchema,
  },
  /** Clears the cached tree; the next call requests it from the library. */
  'library.refresh': { input: siteRef, output: nothing },
  /**
   * A window of a media list. The first call of a query fetches the first page; a window that needs further pages
   * fetches them.
   */
  'library.mediaWindow': {
    input: z.object({
      query: mediaQuerySchema,
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(200),
      /** Returns the groups of the list too. Only a copy of the library has them. */
      isGrouped: z.boolean().optional(),
    }),
    output: mediaWindowSchema,
  },
  /** The ids of a whole list in its order, for a selection of all; the first 100,000 of them. */
  'library.mediaIds': {
    input: z.object({ query: mediaQuerySchema }),
    output: z.object({ ids: z.array(z.string()).max(100_000), isAll: z.boolean() }),
  },
  /**
   * Returns the values of a field that contain a text, in any letter case: those that begin with it first, then the most frequent.
   * They are read from this computer's copy of the library; none while there is no copy.
   */
  'library.values': {
    input: siteRef.extend({
      field: z.enum(KNOWN_FIELDS),
      text: z.string().max(200),
      limit: z.number().int().min(1).max(1000),
    }),
    output: z.array(knownValueSchema),
  },
  /**
   * Returns a search that found nothing with its mistyped words corrected, if that finds items of the query; null: there is none, or no
   * complete copy of the library.
   */
  'library.correctedSearch': {
    input: z.object({ query: mediaQuerySchema }),
    output: z.object({ search: z.string().nullable() }),
  },
  'library.syncStatus': { input: siteRef, output: syncStatusSchema },
  /**
   * Updates this computer's copy of the library; returns when that is complete. Throws the error that ended it early.
   * `removesVanished`: confirms that the vanished items of the status are deleted; each is removed from the copy when the library
   * does not have it.
   */
  'library.syncNow': {
    input: siteRef.extend({ removesVanished: z.boolean().optional() }),
    output: syncStatusSchema,
  },
  /** Reads the files of an item. A few calls run at a time, the latest first. null: not read, because of too many later calls. */
  'library.fileFacts': { input: mediaRef, output: fileFactsSchema.nullable() },
  'library.media': { input: mediaRef, output: mediaDetailSchema },
  /**
   * Saves the given fields through the journal of edits, see `edits.plan`. `expected`: the values that the user saw, before the
   * edit; by default the values that were read last. Throws `edit.conflict` when someone changed one of them since, with the
   * present values in `details.theirs`; other fields are saved. While the library can't be reached the edit waits: see
   * `isPending`.
   */
  'library.updateMedia': {
    input: mediaRef.extend({ patch: mediaPatchSchema, expected: seenMediaSchema.optional() }),
    output: mediaDetailSchema,
  },
  ...ACCESS_CALLS,
  ...CALENDAR_CALLS,
  /** `publishOn`: ISO-8601 UTC; a past instant counts as now. null: publishes now and replaces a later date. */
  'library.publishMedia': { input: mediaRef.extend({ publishOn: z.string().nullable() }), output: mediaDetailSchema },
  'library.unpublishMedia': { input: mediaRef, output: mediaDetailSchema },
  'library.deleteMedia': { input: mediaRef, output: nothing },

  ...EDIT_CALLS,
  ...MANIFEST_CALLS,
  ...FILE_CALLS,
  ...DOWNLOAD_CALLS,
  ...SEARCH_CALLS,
  ...PRESET_CALLS,
  ...MEDIA_FACTS_CALLS,
  ...WAVEFORM_CALLS,
  ...TITLE_CALLS,

  /** Checks the paths like `uploads.add`; changes nothing. */
  'uploads.preview': { input: previewUploadsInputSchema, output: uploadsPreviewSchema },
  /** Stops running `uploads.preview` calls: they return immediately with partial results (`isAll` false). */
  'uploads.endPreview': { input: nothing, output: nothing },
  'uploads.add': { input: addUploadsInputSchema, output: addUploadsOutputSchema },
  /** The values with which the library creates the items of uploads, and where they are stored. Skips unknown ids. */
  'uploads.details': {
    input: z.object({ ids: z.array(z.string()).max(MOST_LISTED_FILES) }),
    output: z.array(uploadDetailsSchema),
  },
  /** Changes values of uploads whose items are not created yet; durable when it returns. Throws `upload.unknown`. */
  'uploads.describe': { input: describeUploadsInputSchema, output: describeUploadsOutputSchema },
  'uploads.list': {
    input: listUploadsInputSchema,
    output: z.object({ total: z.number(), rows: z.array(uploadRowSchema) }),
  },
  /** The ids of a whole list in its order, for a selection of all; the first 100,000 of them. */
  'uploads.ids': {
    input: listUploadsInputSchema.pick({ filter: true, batchId: true }),
    output: z.object({ ids: z.array(z.string()).max(100_000) }),
  },
  /** Returns the ids that belong to no upload. */
  'uploads.unknown': {
    input: z.object({ ids: z.array(z.string()).max(100_000) }),
    output: z.object({ ids: z.array(z.string()) }),
  },
  /**
   * `left`: the number of ended uploads with an item (or a possible item) in the library that still has to be removed. `pending`:
   * for how many of these this process will retry the removal.
   */
  'uploads.leftovers': { input: nothing, output: z.object({ left: z.number(), pending: z.number() }) },
  'uploads.totals': { input: nothing, output: uploadTotalsSchema },
  /** One batch of any age; null when no batch has that id. */
  'uploads.batch': { input: z.object({ batchId: z.string() }), output: batchSchema.nullable() },
  /** The newest batches first. Returns fewer than `limit` when there are no older ones. */
  'uploads.batches': {
    input: z.object({ limit: z.number().int().min(1).max(500), offset: z.number().int().min(0).optional() }),
    output: z.array(batchSchema),
  },
  /** Every batch with listed uploads, the newest first. */
  'uploads.outline': { input: nothing, output: z.array(listedBatchSchema) },
  'uploads.pause': { input: uploadSelectionSchema, output: changedCount },
  'uploads.resume': { input: uploadSelectionSchema, output: changedCount },
  'uploads.cancel': { input: uploadSelectionSchema, output: changedCount },
  /** Returns the effect of `uploads.cancel` on the same uploads at this moment. Changes nothing. */
  'uploads.cancelEffects': { input: uploadSelectionSchema, output: cancelEffectsSchema },
  /**
   * Cancels the uploads that are neither delivered nor being sent, and skips the others. The cancel is durable at once. It can be
   * undone for `UNDO_COMMAND_MS`; until then nothing is removed from the library. `undoId` null: no upload was cancelled.
   */
  'uploads.cancelUnsent': {
    input: uploadSelectionSchema,
    output: z.object({ changed: z.number(), undoId: z.string().nullable() }),
  },
  /**
   * Restores state, order and priority of the uploads of that cancel. `changed` 0: the time is over, or the engine was restarted.
   */
  'uploads.undoCancel': { input: z.object({ undoId: z.string() }), output: changedCount },
  /**
   * Removes ended uploads from the list. They stay in receipts and no longer count in totals; a retry lists them again. Durable
   * when this returns; can be undone for `UNDO_COMMAND_MS`. `undoId` null: none changed.
   */
  'uploads.clear': {
    input: clearUploadsInputSchema,
    output: z.object({ changed: z.number(), undoId: z.string().nullable() }),
  },
  'uploads.undoClear': { input: undoClearInputSchema, output: changedCount },
  /** Skips uploads that need a decision about a duplicate; `uploads.resolveDuplicates` resolves these. */
  'uploads.retry': { input: uploadSelectionSchema, output: changedCount },
  /**
   * Decides that the file that is at the path now is sent from its first byte, for uploads, captions and thumbnails that failed
   * with `file.replaced`. Skips other uploads. A file that can't be read now is only retried.
   */
  'uploads.acceptReplaced': { input: uploadSelectionSchema, output: changedCount },
  /** Throws `upload.unknown`, and `input.invalid` for a batch whose collection is known. Returns how many were retried. */
  'uploads.chooseCollection': { input: chooseCollectionInputSchema, output: changedCount },
  /** Pauses the whole queue until an instant (epoch milliseconds), across restarts as well; null: resumes it now. */
  'uploads.pauseUntil': { input: z.object({ until: z.number().int().nullable() }), output: changedCount },
  /**
   * Moves queued rows in front of another row (null: to the end) or behind one; skips other rows. A later change of
   * `smallFirst` sorts unsent rows again.
   */
  'uploads.move': { input: moveUploadsInputSchema, output: changedCount },
  /** Moves uploads to the front of the queue, whatever their priority and size. */
  'uploads.sendNext': { input: z.object({ selection: uploadSelectionSchema }), output: changedCount },
  'uploads.setPriority': {
    input: z.object({ selection: uploadSelectionSchema, priority: z.enum(PRIORITIES) }),
    output: changedCount,
  },
  /** Decides about uploads that need a decision about a duplicate or were skipped as duplicates. */
  'uploads.resolveDuplicates': { input: resolveDuplicatesInputSchema, output: changedCount },
  /** Resolves `upload.may-exist` with an existing item or a new one. Changes nothing when it is already resolved. */
  'uploads.chooseItem': { input: chooseItemInputSchema, output: changedCount },
  'uploads.receipt': { input: z.object({ batchId: z.string() }), output: receiptSchema },
  'receipts.search': { input: searchReceiptsInputSchema, output: receiptHitsSchema },

  /** The watched folders in the order in which they were added. */
  'watch.list': { input: nothing, output: z.array(watchedFolderSchema) },
  /** Returns the watched folder at a path, by any spelling of it that the disk accepts; null: it is not watched. */
  'watch.at': { input: countFolderInputSchema, output: watchedFolderSchema.nullable() },
  /** Counts the files in a folder before it is added. Throws `watch.root-…`, `watch.nested` and `watch.move-folder`. */
  'watch.count': { input: countFolderInputSchema, output: folderCountSchema },
  /** Returns the spreadsheets in a watched folder; null: there are none. They are used only if the rules require it. */
  'watch.manifests': { input: folderRefSchema, output: offeredManifestSchema.nullable() },
  /** Starts to watch a folder. Throws the errors of `watch.count`, and `input.invalid` for rules that can't be used. */
  'watch.add': { input: addWatchedFolderInputSchema, output: watchedFolderSchema },
  'watch.edit': { input: editWatchedFolderInputSchema, output: watchedFolderSchema },
  /** Stops to watch the folder. Its files and their uploads stay. */
  'watch.remove': { input: folderRefSchema, output: nothing },
  'watch.pause': { input: folderRefSchema, output: watchedFolderSchema },
  'watch.resume': { input: folderRefSchema, output: watchedFolderSchema },
  /** Starts a sweep now; returns before it ends. */
  'watch.sweepNow': { input: folderRefSchema, output: watchedFolderSchema },
  'watch.files': { input: listWatchedFilesInputSchema, output: watchedFilesSchema },
  'watch.find': { input: findWatchedFilesInputSchema, output: foundWatchedFilesSchema },
  /** Returns the decision of rules about the present files of a folder, by the function that decides when it is watched. */
  'watch.preview': { input: previewWatchInputSchema, output: watchPreviewSchema },
  /** Confirms that the folder in state `moved` is the folder at `path`: no file is uploaded again because of the move. */
  'watch.confirmMoved': { input: folderRefSchema.extend({ path: z.string().min(1) }), output: watchedFolderSchema },
  /**
   * Queues files whatever the rules and their contents are, such as incomplete recordings. Omits files that do not exist any more
   * or are queued already.
   */
  'watch.uploadAnyway': { input: z.object({ fileIds: z.array(z.string()).min(1).max(1000) }), output: changedCount },

  ...ADMIN_CALLS,
  ...DIALOG_CALLS,
  ...SHELL_CALLS,
  ...UPDATE_CALLS,
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

/** Events of the engine and the shell. Listeners get data, never a handle of the transport. */
export const EVENTS = {
  onDidChangeSites: z.array(siteSchema),
  /** `phase` null: no sign-in is running. `openUrl`: the page for the system browser. */
  onDidChangeSignIn: z.object({
    phase: z.enum(['checking', 'waiting-for-browser', 'exchanging']).nullable(),
    openUrl: z.string().nullable(),
  }),
  onDidChangeSettings: settingsSchema,
  /** Writing to the profile fails, for example because its drive is full; null: it works again. */
  onDidChangeStore: z.object({ problem: appErrorSchema.nullable() }),
  /** The content of the library changed: screens reload their data. Null: any collection, any item. */
  onDidChangeLibrary: z.object({
    siteId: z.string(),
    collectionId: z.string().nullable(),
    mediaId: z.string().nullable(),
  }),
  /** This computer's copy of a library changed its state; at most five times a second for each account. */
  onDidChangeSync: syncStatusSchema,
  /** A deletion of collections advances; after each deleted item. */
  onDidProgressDeletion: z.object({ siteId: z.string(), deletedItems: z.number(), items: z.number() }),
  /**
   * At most ten times a second. `rows` contains the rows that changed since the last event (all of them when few, otherwise those
   * in progress), `batches` the batches of changed rows. `structure` is true when rows were added, removed or changed their
   * state: lists of one state must be loaded again. `relist` is true when the list of all states must be loaded again, too: rows
   * were moved or cleared, or more changed than `rows` contains. `outline`: more batches changed than `batches` contains.
   */
  onDidChangeUploads: z.object({
    rows: z.array(uploadRowSchema),
    batches: z.array(listedBatchSchema),
    totals: uploadTotalsSchema,
    structure: z.boolean(),
    relist: z.boolean(),
    outline: z.boolean(),
  }),
  onDidChangeWatch: watchChangeSchema,
  /** All downloads of the session, after a change; at most five times a second. */
  onDidChangeDownloads: z.array(downloadSchema),
  /** Edits were created, sent, held, refused or dropped. */
  onDidChangeEdits: editsChangeSchema,
  ...ADMIN_EVENTS,
  /** A plan or an edit reads its items from the library; at most ten times a second. */
  onDidProgressEditPlan: z.object({ siteId: z.string(), read: z.number(), total: z.number().nullable() }),
  ...SHELL_EVENTS,
} as const satisfies Record<string, z.ZodType>;

export type CallName = keyof typeof CALLS;
export type CallInput<N extends CallName> = z.input<(typeof CALLS)[N]['input']>;
export type CallOutput<N extends CallName> = z.output<(typeof CALLS)[N]['output']>;
/** The input of a handler, with defaults filled in. */
export type HandledInput<N extends CallName> = z.output<(typeof CALLS)[N]['input']>;

export type EventName = keyof typeof EVENTS;
export type EventData<N extends EventName> = z.output<(typeof EVENTS)[N]>;

export type ShellCallName = Extract<CallName, `shell.${string}`>;
export type EngineCallName = Exclude<CallName, ShellCallName>;

/** The events of the shell; all others come from the engine. */
type ShellEventName = keyof typeof SHELL_EVENTS;
export type EngineEventName = Exclude<EventName, ShellEventName>;

/** The reply of every call. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: z.output<typeof appErrorSchema> };

/** The type of `window.mediadesk`, which the preload sets. */
export interface MediadeskBridge {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Reply<CallOutput<N>>>;
  /** Returns the function that unsubscribes. */
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void;
  /** The absolute path of a dropped or picked `File`; empty when it has none. */
  pathForFile(file: object): string;
  platform: string;
}
