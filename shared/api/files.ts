import { z } from 'zod';
import { formFieldsSchema } from './form-fields.ts';
import {
  blank,
  idSchema,
  lineSchema,
  linksSchema,
  numberSchema,
  openEnum,
  readableOf,
  timestampSchema,
  withDefault,
} from './wire.ts';

const FILE_TYPES = ['video', 'audio', 'doc', 'image', 'blob', 'captions'] as const;
export const FILE_STATUSES = ['uploading', 'processing', 'complete', 'error', 'aborted'] as const;
const FILE_SOURCES = ['upload', 'encoding'] as const;

const mediaFileFields = {
  id: idSchema,
  source: blank(openEnum(FILE_SOURCES)),
  type: blank(openEnum(FILE_TYPES)),
  container: blank(lineSchema),
  status: openEnum(FILE_STATUSES),
  /** null on an original. */
  encoding_profile: blank(lineSchema),
  display_name: withDefault(lineSchema, ''),
  created_on: blank(timestampSchema),
  modified_on: blank(timestampSchema),
  height: blank(numberSchema),
  width: blank(numberSchema),
  max_bitrate: blank(numberSchema),
  /** Bytes. */
  size: blank(numberSchema),
  /** Seconds. */
  duration: blank(numberSchema),
  duration_hms: blank(lineSchema),
  links: linksSchema,
};

/** A derived file: its own `encodings` is always null. */
const encodingSchema = z.object({ ...mediaFileFields, encodings: z.unknown().transform(() => null) });
export type Encoding = z.output<typeof encodingSchema>;

/** A file of a media item, with the encodings made from it. */
export const mediaFileSchema = z.object({ ...mediaFileFields, encodings: blank(readableOf(encodingSchema)) });
export type MediaFile = z.output<typeof mediaFileSchema>;

/** Returns whether captions are among the files of an item or their encodings; captions whose upload failed do not count. */
export function haveCaptions(files: readonly MediaFile[]): boolean {
  const isCaptions = ({ type, status }: { type: string | null; status: string }) =>
    type === 'captions' && status !== 'error' && status !== 'aborted';
  return files.some((file) => isCaptions(file) || (file.encodings ?? []).some(isCaptions));
}

/** Returns the size of the original files of an item together, without captions, in bytes; null when the library reports none. */
export function sizeOfFiles(files: readonly MediaFile[]): number | null {
  const sizes = files.flatMap(({ type, size }) => (type === 'captions' || size === null ? [] : [size]));
  return sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0);
}

/** The destination of the bytes and how they are sent. The host can be any storage, so no token of the site is sent to it. */
export const uploadDescriptorSchema = z.object({
  protocols: z.object({
    form_data: z.object({
      upload_url: z.string(),
      upload_file_param: z.string().min(1),
      /** Sent in this order, before the file. */
      upload_post_params: formFieldsSchema,
      /** Only with media files, and only when the library requires a notification that the bytes have arrived. */
      postprocess_url: blank(z.string()),
    }),
  }),
});
export type UploadDescriptor = z.output<typeof uploadDescriptorSchema>;

/** The answer to the creation of a media file: the placeholder and, unless it embeds foreign content, the destination. */
export const createdFileSchema = mediaFileSchema.extend({ upload: blank(uploadDescriptorSchema) });
export type CreatedFile = z.output<typeof createdFileSchema>;

export interface MediaFileInput {
  upload_name: string;
  /** Bytes. */
  upload_size: number;
  /** Guessed by the library from the name's extension when absent. */
  upload_type?: string;
  embed_url?: string;
  /** Required for captions: the video file they belong to. */
  encoded_from_id?: string;
}

/** The answer of the content endpoint to a request with `json`: a newly signed URL of the bytes. */
export const contentLocationSchema = z.object({ location: z.string() });

/** Longest life of a content URL, in seconds. */
export const MAX_CONTENT_TTL_S = 3600;
