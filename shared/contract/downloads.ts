import { z } from 'zod';
import { appErrorSchema } from './app-error.ts';

/** A download of this session. */
export const downloadSchema = z.object({
  id: z.string(),
  siteId: z.string(),
  mediaId: z.string(),
  /** The title of its item when it was added; null when this computer doesn't have the item. */
  title: z.string().nullable(),
  fileId: z.string(),
  name: z.string(),
  /** The path of the complete file; null until the download is complete. */
  path: z.string().nullable(),
  doneBytes: z.number(),
  totalBytes: z.number().nullable(),
  state: z.enum(['queued', 'running', 'paused', 'complete', 'failed', 'cancelled']),
  /** True when the contents were compared with a known SHA-256. */
  isVerified: z.boolean(),
  error: appErrorSchema.nullable(),
});
export type Download = z.output<typeof downloadSchema>;

const ids = z.object({ ids: z.array(z.string()).min(1).max(10_000) });
const changedCount = z.object({ changed: z.number() });

/** The calls about downloads. Downloads are listed until the program ends; a later download continues an incomplete file. */
export const DOWNLOAD_CALLS = {
  /** `fileId` null: all originals of the item. Returns the new downloads. `folder`: a full path. */
  'downloads.start': {
    input: z.object({
      siteId: z.string(),
      files: z
        .array(z.object({ mediaId: z.string(), fileId: z.string().nullable() }))
        .min(1)
        .max(10_000),
      folder: z.string().min(1).max(4096),
    }),
    output: z.object({ downloads: z.array(downloadSchema) }),
  },
  'downloads.list': { input: z.null(), output: z.array(downloadSchema) },
  'downloads.pause': { input: ids, output: changedCount },
  /** Continues paused and failed downloads. */
  'downloads.resume': { input: ids, output: changedCount },
  /** Ends downloads and deletes their incomplete files. */
  'downloads.cancel': { input: ids, output: changedCount },
  /** Removes ended downloads from the list. The files stay. */
  'downloads.clear': { input: z.null(), output: changedCount },
} as const;
