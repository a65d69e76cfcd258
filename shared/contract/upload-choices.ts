import { z } from 'zod';

/** When an item is to be published: not (a draft), immediately when complete, or at an instant (ISO-8601). */
export const publishChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('draft') }),
  z.object({ kind: z.literal('now') }),
  z.object({ kind: z.literal('at'), at: z.string() }),
]);
export type PublishChoice = z.output<typeof publishChoiceSchema>;

/**
 * What happens with a file whose contents the collection already has: the user decides, Mediadesk skips it, or Mediadesk uploads
 * it.
 */
export const duplicateChoiceSchema = z.enum(['ask', 'skip', 'upload']);
export type DuplicateChoice = z.output<typeof duplicateChoiceSchema>;

/**
 * What happens with the local file once the library reports it as complete and with equal size. A local file that changed after
 * it was sent stays. `folder`: the full path of a folder.
 */
export const sourceChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('keep') }),
  z.object({ kind: z.literal('move'), folder: z.string().min(1).max(4096) }),
  z.object({ kind: z.literal('trash') }),
]);
export type SourceChoice = z.output<typeof sourceChoiceSchema>;

/**
 * The addition of an upload to an existing item. `captions` belong to a video or audio file of the item (`recordingId`).
 * `thumbnail`: a PNG or JPEG picture; it is not a media file, so its upload has no `fileId`. With `of`, it is the thumbnail of
 * the upload's collection, and the upload has no item.
 */
export const additionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file') }),
  z.object({ kind: z.literal('captions'), recordingId: z.string() }),
  z.object({ kind: z.literal('thumbnail'), of: z.literal('collection').optional() }),
]);
export type Addition = z.output<typeof additionSchema>;
