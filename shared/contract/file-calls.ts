import { z } from 'zod';
import { CAPTIONS_ENCODINGS, CAPTIONS_FORMATS } from '../formats/captions/captions-kinds.ts';
import { appErrorSchema } from './app-error.ts';
import { CONTENT_KINDS } from './content-address.ts';
import { mediaRef } from './media-ref.ts';
import { addUploadsOutputSchema, uploadRowSchema } from './uploads.ts';

const nothing = z.null();
const fileRef = mediaRef.extend({ fileId: z.string() });
/** `isPending`: the edit could not be sent now and waits; `reason`: why, if it is known. */
const waiting = z.object({ isPending: z.boolean(), reason: appErrorSchema.nullable() });
const path = z.string().min(1).max(32_768);
const captionsName = z.object({
  /** The label that players show, such as `German (simple)`. Empty: the name of the language. */
  label: z.string().trim().max(200),
  /** A language tag such as `de` or `pt-BR`; null without one. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i)
    .max(35)
    .nullable(),
});

/** The maximum number of bytes of a picture that becomes a thumbnail. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;

/** A PNG or JPEG of this computer, or its bytes. */
export const pictureSchema = z.union([
  z.object({ path }),
  z.object({
    bytes: z.instanceof(Uint8Array).refine(({ length }) => length > 0 && length <= MAX_PICTURE_BYTES),
    name: z.string().min(1).max(200),
  }),
]);
export type ThumbnailPicture = z.output<typeof pictureSchema>;

/** The encoding that the user chose for captions; null: detected. */
const captionsEncoding = z.enum(CAPTIONS_ENCODINGS).nullable();

/** The facts about a captions file before it is sent. */
const captionsFactsSchema = z.object({
  format: z.enum(CAPTIONS_FORMATS),
  encoding: z.enum(CAPTIONS_ENCODINGS),
  /** Nothing names the encoding: it was guessed, and letters may be wrong. */
  isGuessed: z.boolean(),
  /** SRT: the beginning of a text of the captions, read in this encoding. Otherwise empty. */
  sample: z.string(),
  /** Label and language in the name of the file. */
  ...captionsName.shape,
});
export type CaptionsFacts = z.output<typeof captionsFactsSchema>;

/** The facts about a picture file before it becomes a thumbnail. */
const pictureFactsSchema = z.object({
  contentType: z.enum(['image/png', 'image/jpeg']),
  width: z.number(),
  height: z.number(),
  sizeBytes: z.number(),
});

/**
 * The calls about the files of an item. Calls that add a file put an upload into the queue and return before it is sent: it
 * survives a restart and waits for a connection, and its errors are those of its row.
 */
export const FILE_CALLS = {
  /**
   * Checks whether the window could open a file, without reading its contents. Throws why it can't be played or shown: an error
   * of the library or of the file's server, `content.not-pdf`, or `content.not-captions`.
   */
  'files.check': { input: fileRef.extend({ kind: z.enum(CONTENT_KINDS) }), output: nothing },
  /**
   * The web address of content that the library only embeds, for the browser. Throws `input.invalid` for a file that the
   * library stores: its address is signed, and never leaves the engine.
   */
  'files.webAddress': { input: fileRef, output: z.object({ url: z.string() }) },
  /**
   * Deletes a file with its encodings, through the journal of edits. Can't be undone. Throws `api.forbidden` and
   * `edit.window-over`. While the library can't be reached the deletion waits. `name`: for the list of edits.
   */
  'files.delete': { input: fileRef.extend({ name: z.string().max(1000).optional() }), output: waiting },
  /**
   * Adds content of another website, which the library only embeds, through the journal of edits. `replaces`: a file of the
   * item that is deleted after that. Waits like `files.delete`.
   */
  'files.embed': {
    input: mediaRef.extend({
      url: z.url({ protocol: /^https?$/ }).max(2000),
      name: z.string().trim().min(1).max(500),
      replaces: z.object({ id: z.string(), name: z.string() }).nullable(),
    }),
    output: waiting,
  },
  /** Adds files to an item. */
  'files.add': { input: mediaRef.extend({ paths: z.array(path).min(1).max(1000) }), output: addUploadsOutputSchema },
  /**
   * Adds a file, and deletes the file `fileId` with its encodings once the new one is complete. The API can't replace a
   * file, so the item has both until then. The library may make a thumbnail of the new file: the thumbnail that the item has now
   * is sent again after that, unless it can't be read now and isn't on this computer.
   */
  'files.replace': { input: fileRef.extend({ path }), output: addUploadsOutputSchema },
  /** Uploads to an item that are not complete or need a decision, the oldest first. */
  'files.additions': { input: mediaRef, output: z.array(uploadRowSchema) },
  /** Reads a captions file of this computer. `encoding`: null: detected. Throws `captions.…` and `file.…`. */
  'files.checkCaptions': { input: z.object({ path, encoding: captionsEncoding }), output: captionsFactsSchema },
  /**
   * Adds captions to the video or audio file `recordingId`; SRT is sent in UTF-8. `replaces`: captions that are deleted once the new
   * ones are complete. Throws the errors of `files.checkCaptions`.
   */
  'files.addCaptions': {
    input: mediaRef
      .extend({ recordingId: z.string(), path, encoding: captionsEncoding, replaces: z.string().nullable() })
      .extend(captionsName.shape),
    output: addUploadsOutputSchema,
  },
  /**
   * Gives captions another label or language. The API can't rename a file: the same captions are uploaded under the new
   * name, and the old ones are deleted once these are complete. Reads them from the library, so it needs a connection.
   */
  'files.renameCaptions': {
    input: fileRef.extend({ recordingId: z.string() }).extend(captionsName.shape),
    output: addUploadsOutputSchema,
  },
  /** Reads the header of a picture of this computer. Throws `thumbnail.…` and `file.…`. */
  'files.checkPicture': { input: z.object({ path }), output: pictureFactsSchema },
  /** Sets the thumbnail of an item: a PNG or JPEG of this computer, or its bytes. Throws the errors of `files.checkPicture`. */
  'files.setThumbnail': { input: mediaRef.extend({ picture: pictureSchema }), output: addUploadsOutputSchema },
  /**
   * Sets the thumbnail of a collection. The API can replace it later, but not remove it. Throws the errors of
   * `files.checkPicture`, and `collection.not-created-yet`.
   */
  'files.setCollectionThumbnail': {
    input: z.object({ siteId: z.string(), collectionId: z.string(), picture: pictureSchema }),
    output: addUploadsOutputSchema,
  },
} as const;
