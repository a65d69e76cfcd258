import { z } from 'zod';
import { readSecret } from '../secrets/secret-source.ts';
import { parseAddress } from '../wire/web-address.ts';
import { hasSecret, secretEnv, secretFile } from './secret-place.ts';

/** The key in the database of the place where a library has its content. */
export const STORAGE_KEY = 'storage';
/** The place of content in the data directory. */
export const ON_DISK = 'disk';

/** Returns the place that a configuration names. */
export function placeOf(storage: StorageConfig | undefined): string {
  return storage === undefined ? ON_DISK : `s3 ${new URL(storage.endpoint).origin}/${storage.bucket}/${storage.prefix}`;
}

/** Returns the object store that has the content, by the value of `STORAGE_KEY`; null for content in the data directory. */
export function storeOf(place: string | undefined): string | null {
  return place === undefined || place === ON_DISK ? null : place;
}

/** An object store with the S3 protocol, in which a library keeps its content instead of its data directory. */
export const storageSchema = z
  .strictObject({
    kind: z.literal('s3'),
    endpoint: z.string().max(500).refine(isOrigin, 'must be an http(s) address without a path'),
    bucket: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, 'must be the name of a bucket'),
    /** What the key of each object begins with. Two libraries in one bucket have different prefixes. */
    prefix: z
      .string()
      .regex(/^(?:\w[\w.-]{0,59}\/){0,4}$/, 'must be empty, or end with a slash')
      .default(''),
    region: z
      .string()
      .regex(/^[a-z0-9-]{1,60}$/)
      .default('us-east-1'),
    access_key: z.string().min(1).max(200),
    secret_key_env: secretEnv,
    secret_key_file: secretFile,
    /** Whether the addresses of content lead to the object store. Clients must reach it at `endpoint`. */
    content: z.enum(['proxied', 'redirected']).default('proxied'),
    /** Whether clients send files to the object store. It must know “POST Object”, and clients must reach it at `endpoint`. */
    uploads: z.enum(['gateway', 'direct']).default('gateway'),
    /** The days for which the objects of deleted content stay. */
    keep_removed_days: z.number().int().min(0).max(3650).default(7),
  })
  .superRefine(hasSecret('secret_key'));

export type StorageConfig = z.output<typeof storageSchema>;

/** Returns the secret key of an object store. */
export function secretKeyOf({ secret_key_env: env, secret_key_file: file }: StorageConfig): string {
  return readSecret({ env, file });
}

function isOrigin(text: string): boolean {
  const url = parseAddress(text);
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && `${url.origin}/` === url.href;
}
