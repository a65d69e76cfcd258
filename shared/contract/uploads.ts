import { z } from 'zod';
import { CANCEL_EFFECTS } from '../model/cancel-effects.ts';
import { FOLLOW_UP_KINDS, FOLLOW_UP_STATES } from '../model/follow-up-kinds.ts';
import { PRIORITIES } from '../model/priorities.ts';
import { FILTER_STATES, UPLOAD_STATES } from '../model/upload-states.ts';
import { appErrorSchema } from './app-error.ts';
import { duplicateChoiceSchema, publishChoiceSchema, sourceChoiceSchema } from './upload-choices.ts';

/** Details of `upload.duplicate` and `upload.duplicate-skipped`: what the collection has already. */
export interface DuplicateDetails {
  mediaId: string;
  title: string;
  /** The item's page in the library's own web interface, if it names one. */
  url: string | null;
  /** `history`: an upload of this profile. `library`: an item that came another way. */
  where: 'history' | 'library';
  /** The contents are equal for certain (SHA-256), or only name and size are. */
  match: 'contents' | 'name-and-size';
  /** Epoch ms. */
  uploadedAt: number | null;
}

/** What every upload of a batch starts with. */
export const batchDefaultsSchema = z.object({
  /** `{name}`, `{n}`, `{date}` and more: see `shared/model/title-template.ts`. `uploads.add` refuses a template with an unknown token. */
  titleTemplate: z.string().max(500).default('{name}'),
  tags: z.array(z.string().min(1).max(200)).max(100).default([]),
  publish: publishChoiceSchema.default({ kind: 'draft' }),
  duplicates: duplicateChoiceSchema.default('ask'),
  /** Captions (`name.srt`, `name.vtt`, `name.en.vtt`) and a thumbnail (`name.jpg`, `name.png`) beside a recording go along. */
  sidecars: z.boolean().default(true),
  source: sourceChoiceSchema.default({ kind: 'keep' }),
});
export type BatchDefaults = z.output<typeof batchDefaultsSchema>;

export const addUploadsInputSchema = z.object({
  siteId: z.string(),
  /** The id of a collection from the library; or `collectionRef`. */
  collectionId: z.string().min(1).optional(),
  /**
   * An unchecked reference: an id, a slug, a path of names (`Science / Physics`) or a name. The uploads are queued without
   * a request; their first step resolves it.
   */
  collectionRef: z.string().trim().min(1).max(1000).optional(),
  /** Absolute paths of files and folders. Folders are walked. */
  paths: z.array(z.string().min(1)).min(1).max(100_000),
  defaults: batchDefaultsSchema.prefault({}),
});

export const addUploadsOutputSchema = z.object({
  batchId: z.string(),
  /** Rows that will be sent. */
  added: z.number(),
  addedBytes: z.number(),
  /** Skipped rows, each with its reason; they are in the receipt, too. */
  skipped: z.array(z.object({ path: z.string(), error: appErrorSchema })),
  skippedCount: z.number(),
  /** Captions and thumbnails that are uploaded with the added rows; they have no rows of their own. */
  sidecars: z.number(),
});
export type AddUploadsOutput = z.output<typeof addUploadsOutputSchema>;

/** With a site and a collection the answer also contains how many files that collection seems to have already. */
export const previewUploadsInputSchema = addUploadsInputSchema.pick({ paths: true }).extend({
  siteId: z.string().nullable().default(null),
  collectionId: z.string().nullable().default(null),
  /** Whether captions and thumbnails beside a recording are uploaded with it. */
  sidecars: z.boolean().default(true),
});

/** The result that adding these paths would have. */
export const uploadsPreviewSchema = z.object({
  /** Files that would be sent, and their bytes. */
  files: z.number(),
  bytes: z.number(),
  /** What would be left out: empty, hidden, not readable. */
  skipped: z.number(),
  /** Of `files`, those that look like earlier uploads to the collection, as far as this profile knows. */
  likelyDuplicates: z.number(),
  /** Captions and thumbnails that go along with a recording; not among `files`. */
  sidecars: z.number(),
  /** False when there is more: the numbers are then those of the first `PREVIEW_LIMIT` that were found. */
  isAll: z.boolean(),
  /** The first files with what titles are made of; three at most, in the order of the queue. */
  firstNames: z.array(z.object({ fileName: z.string(), folderName: z.string(), date: z.string() })).max(3),
});
export type UploadsPreview = z.output<typeof uploadsPreviewSchema>;

/** What is done after an upload is complete, as a screen shows it. A failed one leaves the upload complete. */
const followUpRowSchema = z.object({
  kind: z.enum(FOLLOW_UP_KINDS),
  state: z.enum(FOLLOW_UP_STATES),
  /** Of captions and a thumbnail; of `source` that was moved: its new full path; otherwise empty. */
  fileName: z.string(),
  /** Why it waits or failed. */
  error: appErrorSchema.nullable(),
});
export type FollowUpRow = z.output<typeof followUpRowSchema>;

/** One upload as a screen shows it. Times are epoch milliseconds. */
export const uploadRowSchema = z.object({
  id: z.string(),
  batchId: z.string(),
  siteId: z.string(),
  /** Empty until the library has resolved `collectionName`, which the user typed. */
  collectionId: z.string(),
  collectionName: z.string(),
  path: z.string(),
  fileName: z.string(),
  sizeBytes: z.number(),
  title: z.string(),
  state: z.enum(UPLOAD_STATES),
  /** The list is in the order of the queue: by this, then by place. */
  priority: z.enum(PRIORITIES),
  /** Bytes of the file that the kernel took in this attempt. */
  sentBytes: z.number(),
  bytesPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** Retries used up so far. */
  attempts: z.number(),
  nextAttemptAt: z.number().nullable(),
  mediaId: z.string().nullable(),
  fileId: z.string().nullable(),
  sha256: z.string().nullable(),
  /** Why it waits, failed or was skipped. */
  error: appErrorSchema.nullable(),
  /** A note about an upload without an error, such as why it is held back now. */
  notice: appErrorSchema.nullable(),
  /** Where the file was when it was added, if Mediadesk followed it to `path` since. */
  movedFrom: z.string().nullable(),
  /** Captions, thumbnail, tags and the local file, in the order in which they are seen to; a retry tries failed ones again. */
  followUps: z.array(followUpRowSchema),
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
});

export const uploadTotalsSchema = z.object({
  /** Rows by state; every state is present. */
  counts: z.record(z.enum(UPLOAD_STATES), z.number()),
  /** Of rows that are not ended plus those complete in the batches still at work. */
  totalBytes: z.number(),
  sentBytes: z.number(),
  bytesPerSecond: z.number(),
  secondsLeft: z.number().nullable(),
  /** True when the user paused the whole queue, with or without an end. */
  paused: z.boolean(),
  /** When it resumes by itself, epoch milliseconds; null: not paused, or paused until the user resumes it. */
  pausedUntil: z.number().nullable(),
  /** The active bandwidth limit; null: none; 0: nothing is sent. */
  limitBytesPerSecond: z.number().nullable(),
  /** When the timetable changes that next; null: never. */
  limitUntil: z.number().nullable(),
  /** Rows with something still to be done after the upload, and with something of that kind failed. */
  followUps: z.object({ pending: z.number(), failed: z.number() }),
  /** Rows that wait for a decision about a file that their collection has already; in `counts` they are among `failed`: see `uploadOutcomes`. */
  duplicates: z.number(),
  /** Why the whole queue is blocked; null when it is not. */
  blockedBy: appErrorSchema.nullable(),
  /** The account that this concerns; null where it concerns this computer. */
  blockedSiteId: z.string().nullable(),
});
export type UploadTotals = z.output<typeof uploadTotalsSchema>;

export const batchSchema = z.object({
  id: z.string(),
  siteId: z.string(),
  /** Empty until the library has resolved it, see `uploadRowSchema`. */
  collectionId: z.string(),
  collectionName: z.string(),
  addedAt: z.number(),
  counts: z.record(z.enum(UPLOAD_STATES), z.number()),
  totalBytes: z.number(),
  /** Of those in the state `failed`, the ones that only wait for a decision about a duplicate: see `uploadOutcomes`. */
  duplicates: z.number(),
});
export type Batch = z.output<typeof batchSchema>;

/** The uploads of a command. */
export const uploadSelectionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ids'), ids: z.array(z.string()).max(100_000) }),
  z.object({ kind: z.literal('batch'), batchId: z.string() }),
  /** What failed, everywhere or in one batch. */
  z.object({ kind: z.literal('failed'), batchId: z.string().optional() }),
  z.object({ kind: z.literal('all') }),
]);
export type UploadSelection = z.output<typeof uploadSelectionSchema>;

/** Another collection for a batch whose collection the library does not know; what failed because of that is retried. */
export const chooseCollectionInputSchema = z.object({
  batchId: z.string(),
  collectionRef: z.string().trim().min(1).max(1000),
});

/** How many uploads a cancel would concern, by what it means for their files: see `CancelEffect`. */
export const cancelEffectsSchema = z.record(z.enum(CANCEL_EFFECTS), z.number());
export type CancelEffects = z.output<typeof cancelEffectsSchema>;

export const resolveDuplicatesInputSchema = z.object({
  selection: uploadSelectionSchema,
  choice: z.enum(['skip', 'upload']),
});

/** `mediaId`: the item, one of those that the error names; null: a new one is created. */
export const chooseItemInputSchema = z.object({ id: z.string(), mediaId: z.string().nullable() });

/** The outcome of one local file in a receipt. Times are ISO-8601 UTC. */
const receiptLineSchema = z.object({
  uploadId: z.string(),
  path: z.string(),
  fileName: z.string(),
  sizeBytes: z.number(),
  sha256: z.string().nullable(),
  title: z.string(),
  /** `asks`: the collection has the file already, and the user has to decide about it. */
  outcome: z.enum(['complete', 'failed', 'asks', 'cancelled', 'skipped', 'pending']),
  mediaId: z.string().nullable(),
  fileId: z.string().nullable(),
  /** The first attempt and all retries; 0 when the library got no request. */
  attempts: z.number(),
  addedAt: z.string(),
  endedAt: z.string().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  /** The item's page in the library; null without one. */
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
  /** added = complete + failed + asks + cancelled + skipped + pending, always. */
  totals: z.object({
    added: z.number(),
    complete: z.number(),
    failed: z.number(),
    asks: z.number(),
    cancelled: z.number(),
    skipped: z.number(),
    pending: z.number(),
    /** Of the complete ones: arrived as drafts, because publishing was refused. */
    unpublished: z.number(),
    bytes: z.number(),
  }),
  lines: z.array(receiptLineSchema),
});
export type Receipt = z.output<typeof receiptSchema>;

/** `before` null: to the end. Rows keep their order among themselves and take the priority of where they come to lie. */
export const moveUploadsInputSchema = z.object({
  ids: z.array(z.string()).min(1).max(100_000),
  before: z.string().nullable(),
  /** Directly after this row instead; `before` is null then. */
  after: z.string().optional(),
});

/** Searches all receipts: words of file names and titles, or a hash (or its beginning), or an id. */
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
