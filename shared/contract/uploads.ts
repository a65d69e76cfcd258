import { z } from 'zod';
import { MOST_LISTED_FILES } from '../model/preview-limit.ts';
import { CANCEL_EFFECTS } from '../model/uploads/cancel-effects.ts';
import { FOLLOW_UP_KINDS, FOLLOW_UP_STATES } from '../model/uploads/follow-up-kinds.ts';
import { PRIORITIES } from '../model/uploads/priorities.ts';
import { FILTER_STATES, UPLOAD_STATES } from '../model/uploads/upload-states.ts';
import { appErrorSchema } from './app-error.ts';
import { tagNamesSchema } from './tag-names.ts';
import { additionSchema, duplicateChoiceSchema, publishChoiceSchema, sourceChoiceSchema } from './upload-choices.ts';
import { addedLateSchema, fileChoiceSchema, listedFileSchema, pairChoiceSchema } from './upload-files.ts';

/** Details of `upload.duplicate` and `upload.duplicate-skipped`: the item that the collection already has. */
export interface DuplicateDetails {
  mediaId: string;
  title: string;
  /** The item's page in the library's own web interface, if it names one. */
  url: string | null;
  /** `history`: an upload of this profile. `library`: an item that another program or computer created. */
  where: 'history' | 'library';
  /** Whether the contents are certainly equal (SHA-256), or only the title or name, and the size. */
  match: 'contents' | 'name-and-size';
  /** Epoch ms. */
  uploadedAt: number | null;
}

/** The options of all uploads of a batch. */
export const batchDefaultsSchema = z.object({
  /**
   * `{name}`, `{n}`, `{date}`, `{tag.artist}` and more: see `shared/model/title-template.ts`. `uploads.add` refuses a template
   * with an unknown token.
   */
  titleTemplate: z.string().max(500).default('{name}'),
  tags: tagNamesSchema.default([]),
  publish: publishChoiceSchema.default({ kind: 'draft' }),
  duplicates: duplicateChoiceSchema.default('ask'),
  /**
   * Whether captions (`name.srt`, `name.vtt`, `name.en.vtt`) and a thumbnail (`name.jpg`, `name.png`) beside a
   * recording are uploaded with it.
   */
  sidecars: z.boolean().default(true),
  source: sourceChoiceSchema.default({ kind: 'keep' }),
  /** By default normal. */
  priority: z.enum(PRIORITIES).optional(),
});
export type BatchDefaults = z.output<typeof batchDefaultsSchema>;

export const addUploadsInputSchema = z.object({
  siteId: z.string(),
  /** The id of a collection of the library. Either this or `collectionRef` is set. */
  collectionId: z.string().min(1).optional(),
  /**
   * A collection as the user typed it: an id, a slug, a path of names (`Science / Physics`) or a name. Adding sends no
   * request; the first step of the uploads resolves the reference.
   */
  collectionRef: z.string().trim().min(1).max(1000).optional(),
  /** Absolute paths of files and folders. Folders are searched recursively. */
  paths: z.array(z.string().min(1)).min(1).max(100_000),
  /**
   * Absolute paths of what the user chose, if `paths` are files of it: of a folder, or of a spreadsheet's folder. No link below it
   * is followed. A path that the user chose itself may be a link.
   */
  roots: z.array(z.string().min(1)).max(100_000).optional(),
  defaults: batchDefaultsSchema.prefault({}),
  /** Choices for single files of the paths. A chosen file that is gone is skipped with its reason. */
  files: z.array(fileChoiceSchema).max(100_000).optional(),
  /** Whether files of the paths without a choice are added; by default they are. */
  addsOthers: z.boolean().optional(),
});

export const addUploadsOutputSchema = z.object({
  /** The new batch. When only details for earlier uploads were added, it is the batch of the first of these uploads. */
  batchId: z.string(),
  /** Rows that will be sent. */
  added: z.number(),
  addedBytes: z.number(),
  /** Skipped rows, each with its reason; they are in the receipt, too. */
  skipped: z.array(z.object({ path: z.string(), error: appErrorSchema })),
  skippedCount: z.number(),
  /** Captions and thumbnails that are uploaded with the added rows; they have no rows of their own. */
  sidecars: z.number(),
  /** Added rows whose title is the name of their file, because a token of the title template has no value: see their `notice`. */
  fallbackTitles: z.number(),
  /** Files for the items of earlier uploads; not counted in `added`. Absent: there are none. */
  late: addedLateSchema.optional(),
});
export type AddUploadsOutput = z.output<typeof addUploadsOutputSchema>;

/** With a site and a collection, the result also contains how many files the collection probably has already. */
export const previewUploadsInputSchema = addUploadsInputSchema.pick({ paths: true }).extend({
  siteId: z.string().nullable().default(null),
  collectionId: z.string().nullable().default(null),
  /** Whether captions and thumbnails beside a recording are uploaded with it. */
  sidecars: z.boolean().default(true),
  /** Whether the result lists the files, at most `MOST_LISTED_FILES` of them. */
  lists: z.boolean().optional(),
  /** The user's choices about single files, such as their recording. Excluded files are neither counted nor listed. */
  choices: z.array(pairChoiceSchema).max(MOST_LISTED_FILES).optional(),
});

/** The expected result of adding these paths. */
export const uploadsPreviewSchema = z.object({
  /** Files that would be sent, and their bytes. */
  files: z.number(),
  bytes: z.number(),
  /** Files that would be skipped: empty, hidden or unreadable ones. */
  skipped: z.number(),
  /** The number of `files` that are probably in the collection already, by the uploads of this profile. */
  likelyDuplicates: z.number(),
  /** Captions and thumbnails that would be uploaded with a recording; not counted in `files`. */
  sidecars: z.number(),
  /** False when there are more files: the numbers then cover only the first `PREVIEW_LIMIT` files. */
  isAll: z.boolean(),
  /** The first files (at most three, in queue order) with the values for their titles. */
  firstNames: z.array(z.object({ fileName: z.string(), folderName: z.string(), date: z.string() })).max(3),
  /** With `lists`: the files in queue order, also those that can't be uploaded. `isAll` false: there are more files. */
  list: z.object({ files: z.array(listedFileSchema), isAll: z.boolean() }).optional(),
  /**
   * With `lists`: spreadsheets that describe the files of their folder. They are recognized by their names
   * (`MANIFEST_NAMES`), and neither counted nor listed.
   */
  manifests: z.array(z.object({ path: z.string(), fileName: z.string() })).optional(),
});
export type UploadsPreview = z.output<typeof uploadsPreviewSchema>;

/**
 * A follow-up of a complete upload as a screen shows it. A failed follow-up does not change the state of the upload.
 */
const followUpRowSchema = z.object({
  kind: z.enum(FOLLOW_UP_KINDS),
  state: z.enum(FOLLOW_UP_STATES),
  /** Captions and thumbnail: the name of their file. A moved `source`: its new full path. Otherwise empty. */
  fileName: z.string(),
  /** Why the follow-up waits or failed. */
  error: appErrorSchema.nullable(),
  /** Captions that were sent: their encoding if it was guessed, so that letters may be wrong. */
  guessed: z.string().optional(),
});
export type FollowUpRow = z.output<typeof followUpRowSchema>;

/** One upload as a screen shows it. Times are epoch milliseconds. */
export const uploadRowSchema = z.object({
  id: z.string(),
  batchId: z.string(),
  siteId: z.string(),
  /** Empty until the library has resolved `collectionName`, which is as the user typed it. */
  collectionId: z.string(),
  collectionName: z.string(),
  path: z.string(),
  fileName: z.string(),
  sizeBytes: z.number(),
  /** The modification time of the file when it was last looked at, with fractions; 0: unknown. */
  mtimeMs: z.number(),
  title: z.string(),
  state: z.enum(UPLOAD_STATES),
  /** The list is in queue order: sorted by priority, then by place. */
  priority: z.enum(PRIORITIES),
  /** Bytes of the file that the kernel accepted in this attempt. */
  sentBytes: z.number(),
  bytesPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** The number of retries that were used so far. */
  attempts: z.number(),
  nextAttemptAt: z.number().nullable(),
  mediaId: z.string().nullable(),
  fileId: z.string().nullable(),
  sha256: z.string().nullable(),
  /** Why it waits, failed or was skipped. */
  error: appErrorSchema.nullable(),
  /** A note about an upload that has no error, for example why it is on hold now. */
  notice: appErrorSchema.nullable(),
  /** The first path of a file that was moved to `path` after it was added. */
  movedFrom: z.string().nullable(),
  /** Captions, thumbnail, tags and the local file, in the order in which they are done; a retry repeats failed ones. */
  followUps: z.array(followUpRowSchema),
  /** What it adds to an item that already exists; absent: it creates an item of its own. */
  addition: additionSchema.optional(),
  addedAt: z.number(),
  endedAt: z.number().nullable(),
});
export type UploadRow = z.output<typeof uploadRowSchema>;

export const uploadFilterSchema = z.enum(Object.keys(FILTER_STATES) as (keyof typeof FILTER_STATES)[]);
export type UploadFilter = z.output<typeof uploadFilterSchema>;

export const listUploadsInputSchema = z.object({
  filter: uploadFilterSchema.default('all'),
  batchId: z.string().nullable().default(null),
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(500).default(100),
  /** Also uploads that the user cleared, as a receipt shows them: after the listed ones. */
  withCleared: z.boolean().optional(),
});

export const uploadTotalsSchema = z.object({
  /** The number of listed rows by state; contains every state. */
  counts: z.record(z.enum(UPLOAD_STATES), z.number()),
  /** Bytes of the uploads that have not ended, plus the complete uploads of batches that are still in progress. */
  totalBytes: z.number(),
  sentBytes: z.number(),
  bytesPerSecond: z.number(),
  secondsLeft: z.number().nullable(),
  /** True when the user paused the whole queue, with or without an end time. */
  paused: z.boolean(),
  /**
   * When the queue resumes automatically, epoch milliseconds. null: not paused, or paused until the user resumes it.
   */
  pausedUntil: z.number().nullable(),
  /** The active bandwidth limit. null: no limit; 0: sends nothing. */
  limitBytesPerSecond: z.number().nullable(),
  /** When the timetable changes the limit next; null: never. */
  limitUntil: z.number().nullable(),
  /** The number of rows with a pending follow-up, and with a failed one. */
  followUps: z.object({ pending: z.number(), failed: z.number() }),
  /**
   * The number of rows that need a decision about a duplicate. `counts` includes them in `failed`: see
   * `uploadOutcomes`.
   */
  duplicates: z.number(),
  /** Why the whole queue is blocked; null when it is not. */
  blockedBy: appErrorSchema.nullable(),
  /** The account that the problem concerns; null: it concerns this computer. */
  blockedSiteId: z.string().nullable(),
});
export type UploadTotals = z.output<typeof uploadTotalsSchema>;

export const batchSchema = z.object({
  id: z.string(),
  siteId: z.string(),
  /** Empty until the library has resolved it, see `uploadRowSchema`. */
  collectionId: z.string(),
  collectionName: z.string(),
  /** The folder that was added, when it was a single one; null otherwise. */
  folderName: z.string().nullable(),
  addedAt: z.number(),
  counts: z.record(z.enum(UPLOAD_STATES), z.number()),
  totalBytes: z.number(),
  /** How many of the `failed` uploads need a decision about a duplicate: see `uploadOutcomes`. */
  duplicates: z.number(),
});
export type Batch = z.output<typeof batchSchema>;

/**
 * A batch as the list of uploads shows it. `counts` and `duplicates` are of all its uploads, as in its receipt; `listed`
 * leaves out those that the user cleared.
 */
export const listedBatchSchema = batchSchema.extend({
  listed: batchSchema.pick({ counts: true, duplicates: true }),
  /** Bytes of its open and complete uploads; zero once none is open. See `uploadTotalsSchema`. */
  progress: uploadTotalsSchema.pick({ totalBytes: true, sentBytes: true, bytesPerSecond: true, secondsLeft: true }),
});
export type ListedBatch = z.output<typeof listedBatchSchema>;

/** The uploads of a command. */
export const uploadSelectionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ids'), ids: z.array(z.string()).max(100_000) }),
  z.object({ kind: z.literal('batch'), batchId: z.string() }),
  /** Failed uploads, of all batches or of one. */
  z.object({ kind: z.literal('failed'), batchId: z.string().optional() }),
  z.object({ kind: z.literal('all') }),
]);
export type UploadSelection = z.output<typeof uploadSelectionSchema>;

/**
 * `completed`: complete, cancelled and skipped uploads; `ended`: failed ones and open decisions, too. Uploads with
 * something left to do stay.
 */
export const clearUploadsInputSchema = z.object({
  selection: uploadSelectionSchema,
  what: z.enum(['completed', 'ended']),
});
/**
 * `undoId`: lists the uploads again that one `uploads.clear` removed, within `UNDO_COMMAND_MS`. `selection`: lists all cleared
 * uploads of the selection again, at any time.
 */
export const undoClearInputSchema = z.union([
  z.object({ undoId: z.string() }),
  z.object({ selection: uploadSelectionSchema }),
]);

/**
 * Another collection for a batch whose collection does not exist in the library. The uploads that failed for that
 * reason are retried.
 */
export const chooseCollectionInputSchema = z.object({
  batchId: z.string(),
  collectionRef: z.string().trim().min(1).max(1000),
});

/** How many uploads a cancel would affect, by its effect on their files: see `CancelEffect`. */
export const cancelEffectsSchema = z.record(z.enum(CANCEL_EFFECTS), z.number());
export type CancelEffects = z.output<typeof cancelEffectsSchema>;

export const resolveDuplicatesInputSchema = z.object({
  selection: uploadSelectionSchema,
  choice: z.enum(['skip', 'upload']),
});

/** `mediaId`: one of the items that the error names; null: a new item is created. */
export const chooseItemInputSchema = z.object({ id: z.string(), mediaId: z.string().nullable() });

/** The outcome of one local file in a receipt. Times are ISO-8601 UTC. */
const receiptLineSchema = z.object({
  uploadId: z.string(),
  path: z.string(),
  fileName: z.string(),
  sizeBytes: z.number(),
  sha256: z.string().nullable(),
  title: z.string(),
  /** `asks`: the collection already has the file, and the user has to decide. */
  outcome: z.enum(['complete', 'failed', 'asks', 'cancelled', 'skipped', 'pending']),
  mediaId: z.string().nullable(),
  fileId: z.string().nullable(),
  /** The first attempt and all retries; 0 when no request was sent to the library. */
  attempts: z.number(),
  addedAt: z.string(),
  endedAt: z.string().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  /** The item's page in the library; null when it has none. */
  link: z.string().nullable(),
  followUps: z.array(followUpRowSchema),
});
export type ReceiptLine = z.output<typeof receiptLineSchema>;

export const receiptSchema = z.object({
  batchId: z.string(),
  site: z.string(),
  /** Empty until the library has resolved it, see `uploadRowSchema`. */
  collectionId: z.string(),
  collectionName: z.string(),
  addedAt: z.string(),
  /** Always: added = complete + failed + asks + cancelled + skipped + pending. */
  totals: z.object({
    added: z.number(),
    complete: z.number(),
    failed: z.number(),
    asks: z.number(),
    cancelled: z.number(),
    skipped: z.number(),
    pending: z.number(),
    /** How many of the complete uploads are still drafts, because the library refused to publish them. */
    unpublished: z.number(),
    bytes: z.number(),
  }),
  lines: z.array(receiptLineSchema),
});
export type Receipt = z.output<typeof receiptSchema>;

/**
 * Moves rows in front of `before`; null: to the end. Rows keep their relative order and take the priority of their new
 * neighbours.
 */
export const moveUploadsInputSchema = z.object({
  ids: z.array(z.string()).min(1).max(100_000),
  before: z.string().nullable(),
  /** Moves them directly behind this row; `before` is null then. */
  after: z.string().optional(),
});

/** Searches all receipts for words of file names and titles, a hash or its beginning, or an id. */
export const searchReceiptsInputSchema = z.object({
  text: z.string().max(500),
  limit: z.number().int().min(1).max(200).default(50),
  offset: z.number().int().min(0).default(0),
});

export const receiptHitsSchema = z.object({
  total: z.number(),
  /** Newest first. */
  rows: z.array(
    z.object({
      batchId: z.string(),
      site: z.string(),
      collectionId: z.string(),
      collectionName: z.string(),
      line: receiptLineSchema,
    }),
  ),
});
export type ReceiptHits = z.output<typeof receiptHitsSchema>;
