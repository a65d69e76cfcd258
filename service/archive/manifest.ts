import { open } from 'node:fs/promises';
import { z } from 'zod';
import { openRealFile } from './read-file.ts';

/** The names in a backup. Its files have the names and the folders of `stored/` in a data directory. */
export const MANIFEST = 'manifest.jsonl';
export const DATABASE = 'library.sqlite';
export const ADMIN = 'admin.json';
export const STORED = 'stored';

const FORMAT = 'mediadesk-library-backup';
const MAX_LINE_BYTES = 4096;
const CHUNK_BYTES = 256 * 1024;
/** A manifest is read into memory. */
const MAX_FILES = 20_000_000;

const factsSchema = z.strictObject({
  size: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const nameSchema = z.string().regex(/^[0-9a-f]{32}$/);

const headSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(1),
  made_at: z.iso.datetime(),
  epoch: z.string().max(100),
  /** Version of the schema. */
  schema: z.number().int().min(0),
  database: factsSchema,
  admin: factsSchema.nullable(),
});
const fileSchema = factsSchema.extend({ name: nameSchema });
/** A file that a row names, and that was not there when the backup was made. */
const missingSchema = z.strictObject({ missing: nameSchema });
const endSchema = z.strictObject({
  files: z.number().int().min(0),
  bytes: z.number().int().min(0),
  missing: z.number().int().min(0),
});

export type ManifestHead = Omit<z.output<typeof headSchema>, 'format' | 'version'>;
export type ManifestFile = z.output<typeof fileSchema>;

/** What a backup consists of, by its manifest. */
export interface Manifest {
  head: ManifestHead;
  files: ReadonlyMap<string, { size: number; sha256: string }>;
  missing: ReadonlySet<string>;
  bytes: number;
}

/**
 * Writes the manifest of a backup: a line of JSON for the whole, one for each file, and one at the end with the sums, by which a
 * manifest is known to be complete. Waits until it is on disk.
 */
export async function writeManifest(
  path: string,
  head: ManifestHead,
  files: readonly ManifestFile[],
  missing: readonly string[],
): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    const write = (line: object) => handle.writeFile(`${JSON.stringify(line)}\n`);
    await write({ format: FORMAT, version: 1, ...head });
    for (let from = 0; from < files.length; from += 1000) {
      const lines = files.slice(from, from + 1000).map((file) => `${JSON.stringify(file)}\n`);
      await handle.writeFile(lines.join(''));
    }
    for (const name of missing) await write({ missing: name });
    await write({ files: files.length, bytes: sumOf(files), missing: missing.length });
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function sumOf(files: Iterable<{ size: number }>): number {
  let bytes = 0;
  for (const { size } of files) bytes += size;
  return bytes;
}

/**
 * Reads a manifest, which may come from anywhere. Returns `none` when there is no file, and `invalid` when it is not complete, not
 * one of ours, or too large.
 */
export async function readArchiveManifest(path: string): Promise<Manifest | 'none' | 'invalid'> {
  const handle = await openRealFile(path);
  if (handle === undefined) return 'none';
  try {
    const reader = createReader();
    for await (const line of linesOf(handle.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES }))) {
      if (line === undefined || !reader.take(line)) return 'invalid';
    }
    return reader.end() ?? 'invalid';
  } finally {
    await handle.close();
  }
}

/** Takes a manifest line by line. */
function createReader() {
  let head: ManifestHead | undefined;
  let end: z.output<typeof endSchema> | undefined;
  const files = new Map<string, { size: number; sha256: string }>();
  const missing = new Set<string>();

  /** Returns false for a line that no manifest has at this place. */
  function take(line: string): boolean {
    const value = parse(line);
    if (head === undefined) {
      const { data } = headSchema.safeParse(value);
      if (data === undefined) return false;
      const { format: _format, version: _version, ...rest } = data;
      head = rest;
      return true;
    }
    if (end !== undefined || files.size + missing.size > MAX_FILES) return false;
    const file = fileSchema.safeParse(value).data;
    if (file !== undefined) {
      const isNew = !files.has(file.name);
      files.set(file.name, { size: file.size, sha256: file.sha256 });
      return isNew;
    }
    const gone = missingSchema.safeParse(value).data;
    if (gone !== undefined) missing.add(gone.missing);
    else end = endSchema.safeParse(value).data;
    return gone !== undefined || end !== undefined;
  }

  return {
    take,
    /** Returns the manifest if it was complete. */
    end(): Manifest | undefined {
      const bytes = sumOf(files.values());
      if (head === undefined || end === undefined) return undefined;
      const isWhole = end.files === files.size && end.bytes === bytes && end.missing === missing.size;
      return isWhole ? { head, files, missing, bytes } : undefined;
    },
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Yields the lines of a file; undefined for a line that is too long, or that has no end. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk.toString('latin1')).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield part.length > MAX_LINE_BYTES ? undefined : part;
    if (rest.length > MAX_LINE_BYTES) yield undefined;
  }
  if (rest !== '') yield undefined;
}
