import { z } from 'zod';
import { CONTENT_KINDS } from './content-address.ts';

const nothing = z.null();
const fileRef = z.object({ siteId: z.string(), mediaId: z.string(), fileId: z.string() });

/** The calls about the files of an item. */
export const FILE_CALLS = {
  /**
   * Opens a file as the window would, and reads nothing. Throws why it can't be played or shown: what the library or the
   * server of the file answered, `content.not-pdf`, `content.not-captions`.
   */
  'files.check': { input: fileRef.extend({ kind: z.enum(CONTENT_KINDS) }), output: nothing },
  /**
   * The web address of content that the library only embeds, for the browser. Throws `input.invalid` for a file that the
   * library stores: its address is signed, and never leaves the engine.
   */
  'files.webAddress': { input: fileRef, output: z.object({ url: z.string() }) },
  /** Deletes a file with its encodings. Can't be undone. Throws `api.forbidden`. */
  'files.delete': { input: fileRef, output: nothing },
} as const;
