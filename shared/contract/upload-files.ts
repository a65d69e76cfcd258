import { z } from 'zod';
import { ITEM_FIELDS, recordOf, TEXT_FIELDS } from '../item/fields.ts';
import { itemFieldProblem } from '../model/item-fields.ts';
import { DOUBTS } from '../model/pairing/pair-files.ts';
import { MOST_LISTED_FILES } from '../model/preview-limit.ts';
import { appErrorSchema } from './app-error.ts';
import { publishChoiceSchema } from './upload-choices.ts';

const fieldShape = { ...recordOf(TEXT_FIELDS, () => z.string()), tags: z.array(z.string()) };

/** Values of an item. See `itemFieldProblem` for their limits. */
const itemFieldsSchema = z.object(fieldShape);

/** Values for one item; missing fields keep their values. */
const givenFieldsSchema = itemFieldsSchema.partial().superRefine((fields, context) => {
  const problem = itemFieldProblem(fields);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem.kind, path: [problem.field] });
});

/** The user's choice for one file of `uploads.add`. */
export const fileChoiceSchema = z.object({
  /** The path as `uploads.preview` lists it. */
  path: z.string().min(1),
  /** The file is not added; it is not in the receipt either. */
  isExcluded: z.boolean().optional(),
  /** These values replace those of the title template and of the options of the batch. */
  fields: givenFieldsSchema.optional(),
  /** The path of the recording that these captions or this thumbnail belong to; null: the file is an item of its own. */
  belongsTo: z.string().min(1).nullable().optional(),
  /**
   * The id of an earlier upload whose item these captions, this thumbnail or these details are added to, as `uploads.preview` names
   * it. Details replace values that someone entered then.
   */
  addsTo: z.string().min(1).optional(),
  /** Replaces the choice of the batch. */
  publish: publishChoiceSchema.optional(),
});
export type FileChoice = z.output<typeof fileChoiceSchema>;

/** The user's choice to which recording or item a file belongs. */
export const pairChoiceSchema = fileChoiceSchema.pick({
  path: true,
  isExcluded: true,
  belongsTo: true,
  addsTo: true,
});

/** An upload of a recording to which captions, a thumbnail or details can be added. */
const earlierUploadSchema = z.object({
  id: z.string(),
  /** The name of the recording. */
  fileName: z.string(),
  title: z.string(),
  /** The collection of the upload. */
  collectionName: z.string(),
  /** The name of the present collection of its item; absent: it was not moved, as far as this computer knows. */
  movedTo: z.string().optional(),
  /** Epoch ms; null: it is not complete yet. */
  uploadedAt: z.number().nullable(),
});
export type EarlierUpload = z.output<typeof earlierUploadSchema>;

/** A file that is added to the item of an earlier upload. `details`: it is no file of the item, but changes its values. */
const lateFileSchema = z.object({
  kind: z.enum(['captions', 'thumbnail', 'details']),
  upload: earlierUploadSchema,
  /** Details: the fields that they have values for. */
  fields: z.array(z.enum(ITEM_FIELDS)).optional(),
});

/** The results of `uploads.add` for captions, thumbnails and details whose recordings were uploaded before. */
export const addedLateSchema = z.object({
  /** The number of these files. Captions and thumbnails are sent; files with details are only read. */
  count: z.number(),
  /** Bytes to send. */
  bytes: z.number(),
  /** How many of these files contain details. */
  described: z.number(),
  /** The first ones. */
  files: z.array(lateFileSchema.extend({ path: z.string() })),
  /** The batches that send files for them. */
  batchIds: z.array(z.string()),
  /** The edits (groups) that apply the details. */
  editIds: z.array(z.string()),
});

/** Why it is not clear to which earlier upload a file belongs, or whether it may be added to it. */
export const EARLIER_DOUBTS = ['repeated', 'changed', 'moved', 'has-one', 'entered'] as const;

/** Captions, a thumbnail or details whose recording is not clear from its name. */
const unclearPairSchema = z.object({
  kind: z.enum(['captions', 'thumbnail', 'details']),
  /**
   * - `unreadable`  the recording is clear, but its details can't be read; the problem of the file says why
   * - `repeated`    the recording was uploaded several times
   * - `changed`     the recording was changed after its upload
   * - `moved`       the recording is not where it was uploaded from, or this is a copy of it
   * - `has-one`     the item has captions of this name, or a thumbnail, already
   * - `entered`     the details would replace values that someone entered, see `fields`
   */
  doubt: z.enum([...DOUBTS, 'unreadable', ...EARLIER_DOUBTS]),
  /**
   * Recordings to which it may belong, the most probable first; empty for `unreadable`, and when the chosen upload does not exist
   * any more. `upload`: an earlier upload of the recording, which is not added now.
   */
  candidates: z.array(z.object({ path: z.string(), fileName: z.string(), upload: earlierUploadSchema.optional() })),
  /** `entered`: the fields that would be replaced. */
  fields: z.array(z.enum(ITEM_FIELDS)).optional(),
});
export type UnclearPair = z.output<typeof unclearPairSchema>;

/** A file that was found in the added paths, in the order in which it would be queued. */
export const listedFileSchema = z.object({
  path: z.string(),
  fileName: z.string(),
  folderName: z.string(),
  sizeBytes: z.number(),
  /** The day it was changed, YYYY-MM-DD, for its title; null when it could not be read. */
  date: z.string().nullable(),
  /** Why it can't be uploaded; null when it can. */
  problem: appErrorSchema.nullable(),
  /** Set when a choice of the user solves the problem. */
  unclear: unclearPairSchema.nullable(),
  /** The collection probably has the file, by the uploads of this profile. */
  isLikelyDuplicate: z.boolean(),
  /** The names of captions and thumbnails that are uploaded with it. */
  sidecars: z.array(z.string()),
  /** The values of files beside it, and the names of these files; null: there are none. They replace the values of the batch. */
  details: z.object({ fields: itemFieldsSchema.partial(), sources: z.array(z.string()) }).nullable(),
  /** Set for a file that is added to the item of an earlier upload; such a file gets no item of its own. */
  late: lateFileSchema.optional(),
});
export type ListedFile = z.output<typeof listedFileSchema>;

/**
 * The values of an upload, and where they can be changed: in its `row` (until the library gets a request to create its item), or
 * in the `item` `mediaId`. `unconfirmed`: the library may have created the item or not, so they can't be changed now.
 */
export const uploadDetailsSchema = z.object({
  id: z.string(),
  siteId: z.string(),
  fileName: z.string(),
  place: z.enum(['row', 'item', 'unconfirmed']),
  mediaId: z.string().nullable(),
  fields: itemFieldsSchema,
});
export type UploadDetails = z.output<typeof uploadDetailsSchema>;

export const describeUploadsInputSchema = z.object({
  changes: z
    .array(z.object({ id: z.string(), fields: givenFieldsSchema }))
    .min(1)
    .max(MOST_LISTED_FILES),
});

export const describeUploadsOutputSchema = z.object({
  /** Rows that have the given values now, including rows that had them before. */
  changed: z.number(),
  /** Uploads that have an item: nothing was changed, their values are edits of these items. */
  items: z.array(z.object({ id: z.string(), siteId: z.string(), mediaId: z.string() })),
  /** Uploads that can't be changed now, each with its reason. */
  refused: z.array(z.object({ id: z.string(), error: appErrorSchema })),
});
