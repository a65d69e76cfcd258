import { z } from 'zod';
import { collectionSchema } from '../api/collections.ts';
import { PRIORITIES } from '../model/priorities.ts';
import { appErrorSchema } from './app-error.ts';
import { doctorReportSchema } from './doctor.ts';
import {
  collectionRowSchema,
  mediaDetailSchema,
  mediaPatchSchema,
  mediaQuerySchema,
  mediaWindowSchema,
} from './library.ts';
import { settingsPatchSchema, settingsSchema } from './settings.ts';
import { signInInputSchema, siteSchema } from './sites.ts';
import {
  addUploadsInputSchema,
  addUploadsOutputSchema,
  batchSchema,
  cancelEffectsSchema,
  chooseCollectionInputSchema,
  chooseItemInputSchema,
  listUploadsInputSchema,
  moveUploadsInputSchema,
  previewUploadsInputSchema,
  receiptHitsSchema,
  receiptSchema,
  resolveDuplicatesInputSchema,
  searchReceiptsInputSchema,
  uploadRowSchema,
  uploadSelectionSchema,
  uploadsPreviewSchema,
  uploadTotalsSchema,
} from './uploads.ts';

const nothing = z.null();
const siteRef = z.object({ siteId: z.string() });
const mediaRef = z.object({ siteId: z.string(), mediaId: z.string() });
const themeSchema = z.enum(['system', 'light', 'dark']);
export type Theme = z.output<typeof themeSchema>;
const changedCount = z.object({ changed: z.number() });

/**
 * Everything that a screen may ask for: the name of the call, its input and its output.
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
      /** What was chosen for the window; kept over restarts by the shell. */
      theme: themeSchema,
      /** Things that a person should know since the start, such as a queue that was set aside. */
      notices: z.array(appErrorSchema),
    }),
  },
  /**
   * Looks the profile, the files and the libraries over, and changes nothing. Takes as long as the libraries do.
   * `all`: every complete upload is looked for in its library, not only the latest ones. null: the latest.
   */
  'app.doctor': { input: z.object({ all: z.boolean() }).nullable(), output: doctorReportSchema },

  'settings.get': { input: nothing, output: settingsSchema },
  /** Takes effect at once; transfers that run are not ended by it. Answers the settings as they are then. */
  'settings.set': { input: z.object({ patch: settingsPatchSchema }), output: settingsSchema },

  'sites.list': { input: nothing, output: z.array(siteSchema) },
  /** Answers when the sign-in has ended, well or not; one at a time. */
  'sites.signIn': { input: signInInputSchema, output: siteSchema },
  'sites.cancelSignIn': { input: nothing, output: nothing },
  'sites.signOut': { input: siteRef, output: nothing },

  'library.collections': {
    input: z.object({ siteId: z.string(), parentId: z.string().nullable() }),
    output: z.array(collectionRowSchema),
  },
  /** One collection with the path of names from the top down to it. */
  'library.collection': {
    input: z.object({ siteId: z.string(), collectionId: z.string() }),
    output: z.object({ collection: collectionRowSchema, path: z.array(z.string()) }),
  },
  'library.findCollections': {
    input: z.object({ siteId: z.string(), text: z.string().max(200), limit: z.number().int().min(1).max(100) }),
    output: z.array(z.object({ collection: collectionRowSchema, path: z.array(z.string()) })),
  },
  'library.createCollection': {
    input: z.object({
      siteId: z.string(),
      parentId: z.string(),
      displayName: z.string().min(1).max(255),
      isPodcast: z.boolean().default(false),
    }),
    output: collectionSchema,
  },
  /** Forgets what is cached of the tree; the next question asks the service. */
  'library.refresh': { input: siteRef, output: nothing },
  /** A window of a media list. The first question of a query fetches; pages beyond are fetched as they are reached. */
  'library.mediaWindow': {
    input: z.object({
      query: mediaQuerySchema,
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(200),
    }),
    output: mediaWindowSchema,
  },
  'library.media': { input: mediaRef, output: mediaDetailSchema },
  'library.updateMedia': { input: mediaRef.extend({ patch: mediaPatchSchema }), output: mediaDetailSchema },
  /** `publishOn` null: now, also where a later date was set. ISO-8601 UTC otherwise; a past instant counts as now. */
  'library.publishMedia': { input: mediaRef.extend({ publishOn: z.string().nullable() }), output: mediaDetailSchema },
  'library.unpublishMedia': { input: mediaRef, output: mediaDetailSchema },
  'library.deleteMedia': { input: mediaRef, output: nothing },

  /** Looks into the paths as `uploads.add` would, and changes nothing. */
  'uploads.preview': { input: previewUploadsInputSchema, output: uploadsPreviewSchema },
  /** Nobody waits for `uploads.preview` any more: those under way answer at once what they have found (`isAll` false). */
  'uploads.endPreview': { input: nothing, output: nothing },
  'uploads.add': { input: addUploadsInputSchema, output: addUploadsOutputSchema },
  'uploads.list': {
    input: listUploadsInputSchema,
    output: z.object({ total: z.number(), rows: z.array(uploadRowSchema) }),
  },
  /** The ids of a whole list in its order, for a selection of all; the first 100,000 of them. */
  'uploads.ids': {
    input: listUploadsInputSchema.pick({ filter: true, batchId: true }),
    output: z.object({ ids: z.array(z.string()).max(100_000) }),
  },
  /** Those of the ids that no upload has. */
  'uploads.unknown': {
    input: z.object({ ids: z.array(z.string()).max(100_000) }),
    output: z.object({ ids: z.array(z.string()) }),
  },
  /**
   * How many ended uploads have an item in the library, or may have one, that is to be removed (`left`), and for how many of
   * these this process will try that again (`pending`).
   */
  'uploads.leftovers': { input: nothing, output: z.object({ left: z.number(), pending: z.number() }) },
  'uploads.totals': { input: nothing, output: uploadTotalsSchema },
  /** One batch, however old; null where there is none of that id. */
  'uploads.batch': { input: z.object({ batchId: z.string() }), output: batchSchema.nullable() },
  /** The newest first. Fewer than `limit`: there are no older ones. */
  'uploads.batches': {
    input: z.object({ limit: z.number().int().min(1).max(500), offset: z.number().int().min(0).optional() }),
    output: z.array(batchSchema),
  },
  'uploads.pause': { input: uploadSelectionSchema, output: changedCount },
  'uploads.resume': { input: uploadSelectionSchema, output: changedCount },
  'uploads.cancel': { input: uploadSelectionSchema, output: changedCount },
  /** What `uploads.cancel` of the same uploads would mean now. Changes nothing. */
  'uploads.cancelEffects': { input: uploadSelectionSchema, output: cancelEffectsSchema },
  /**
   * Cancels those of which nothing was delivered and passes over the others. The cancel is durable at once. For a short
   * while (`UNDO_CANCEL_MS`) it can be undone, and nothing of it is removed from the library; `undoId` null: none changed.
   */
  'uploads.cancelWaiting': {
    input: uploadSelectionSchema,
    output: z.object({ changed: z.number(), undoId: z.string().nullable() }),
  },
  /** Puts back state, order and priority of what that cancel changed. `changed` 0: too late, or the engine started anew. */
  'uploads.undoCancel': { input: z.object({ undoId: z.string() }), output: changedCount },
  /** What asks about a duplicate is passed over: that is decided (`uploads.resolveDuplicates`), not tried again. */
  'uploads.retry': { input: uploadSelectionSchema, output: changedCount },
  /** Throws `upload.unknown`, and `input.invalid` for a batch whose collection is known. Answers how many were retried. */
  'uploads.chooseCollection': { input: chooseCollectionInputSchema, output: changedCount },
  /** Pauses the whole queue until an instant (epoch milliseconds), also over restarts; null: goes on now. */
  'uploads.pauseUntil': { input: z.object({ until: z.number().int().nullable() }), output: changedCount },
  /** Puts rows that have not begun in front of another (null: behind all), or behind one; others are passed over. Switching `smallFirst` afterwards orders what is not sent anew. */
  'uploads.move': { input: moveUploadsInputSchema, output: changedCount },
  /** To the very front, before every priority and whatever their size. */
  'uploads.sendNext': { input: z.object({ selection: uploadSelectionSchema }), output: changedCount },
  'uploads.setPriority': {
    input: z.object({ selection: uploadSelectionSchema, priority: z.enum(PRIORITIES) }),
    output: changedCount,
  },
  /** Decides about uploads that ask, or were left out, because the collection has their contents already. */
  'uploads.resolveDuplicates': { input: resolveDuplicatesInputSchema, output: changedCount },
  /** Answers `upload.may-exist`: which item is the upload's, or that a new one is wanted. Changes nothing once that is settled. */
  'uploads.chooseItem': { input: chooseItemInputSchema, output: changedCount },
  'uploads.receipt': { input: z.object({ batchId: z.string() }), output: receiptSchema },
  'receipts.search': { input: searchReceiptsInputSchema, output: receiptHitsSchema },

  /** Native pickers. An empty list means that the person chose nothing. */
  'shell.pickFiles': { input: nothing, output: z.array(z.string()) },
  'shell.pickFolder': { input: nothing, output: z.array(z.string()) },
  /** One folder to put something into; it may be made on the way. null: the person chose none. */
  'shell.chooseFolder': {
    input: z.object({ title: z.string().max(100) }),
    output: z.object({ path: z.string().nullable() }),
  },
  /** Saves a receipt where the person chooses; null when they did not. */
  'shell.saveReceipt': {
    input: z.object({ batchId: z.string(), format: z.enum(['json', 'csv', 'html']) }),
    output: z.object({ path: z.string().nullable() }),
  },
  'shell.showInFolder': { input: z.object({ path: z.string() }), output: nothing },
  /** https only (http on loopback); anything else is refused. */
  'shell.openExternal': { input: z.object({ url: z.string() }), output: nothing },
  'shell.setTheme': { input: z.object({ theme: themeSchema }), output: nothing },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

/** Facts that the engine or the shell announces. Listeners get data, never a handle of the transport. */
export const EVENTS = {
  onDidChangeSites: z.array(siteSchema),
  /** `phase` null: no sign-in is going on. `openUrl` is for people who use the system browser. */
  onDidChangeSignIn: z.object({
    phase: z.enum(['checking', 'waiting-for-browser', 'exchanging']).nullable(),
    openUrl: z.string().nullable(),
  }),
  onDidChangeSettings: settingsSchema,
  /** Something of the library changed: ask again for what is shown. null means anywhere. */
  onDidChangeLibrary: z.object({
    siteId: z.string(),
    collectionId: z.string().nullable(),
    mediaId: z.string().nullable(),
  }),
  /**
   * At most ten times a second. `rows` holds the rows that changed since the last one (all of them when few, otherwise
   * those that move); `structure` tells that rows were added, removed or changed their filter, so that open windows are
   * asked for again.
   */
  onDidChangeUploads: z.object({ rows: z.array(uploadRowSchema), totals: uploadTotalsSchema, structure: z.boolean() }),
  /** Chosen in the application menu or on the screen; every place that shows the choice follows this one. */
  onDidChangeTheme: z.object({ theme: themeSchema }),
  onDidMenuCommand: z.object({
    command: z.enum([
      'add-files',
      'add-folder',
      'sign-out',
      'refresh',
      'search',
      'show-library',
      'show-uploads',
      'show-receipts',
      'show-settings',
      'check-uploads',
      'about',
    ]),
  }),
} as const satisfies Record<string, z.ZodType>;

export type CallName = keyof typeof CALLS;
export type CallInput<N extends CallName> = z.input<(typeof CALLS)[N]['input']>;
export type CallOutput<N extends CallName> = z.output<(typeof CALLS)[N]['output']>;
/** What a handler gets: the input after its defaults were filled in. */
export type HandledInput<N extends CallName> = z.output<(typeof CALLS)[N]['input']>;

export type EventName = keyof typeof EVENTS;
export type EventData<N extends EventName> = z.output<(typeof EVENTS)[N]>;

export type ShellCallName = Extract<CallName, `shell.${string}`>;
export type EngineCallName = Exclude<CallName, ShellCallName>;

/** What the shell announces by itself; everything else comes from the engine. */
type ShellEventName = 'onDidMenuCommand' | 'onDidChangeTheme';
export type EngineEventName = Exclude<EventName, ShellEventName>;

/** The one reply shape of every call. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: z.output<typeof appErrorSchema> };

/** What the preload puts on `window.mediadesk`. */
export interface MediadeskBridge {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Reply<CallOutput<N>>>;
  /** Returns the function that ends the subscription. */
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void;
  /** The absolute path of a dropped or picked `File`; empty when it has none. */
  pathForFile(file: object): string;
  platform: string;
}
