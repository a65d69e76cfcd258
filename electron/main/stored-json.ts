import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { withChanges } from '../../shared/model/keep-unknown.ts';
import { renameFileNow } from '../engine/ports/system/rename-file.ts';

type Values<S extends z.ZodRawShape> = z.output<z.ZodObject<S>>;

/** A small JSON file of the shell in the profile, such as the state of the window. */
export interface StoredJson<S extends z.ZodRawShape> {
  file: string;
  schema: z.ZodObject<S>;
  /** The values of a missing file, and of members that can't be read. */
  fresh: Values<S>;
}

/** Reads the file. A missing or damaged file is not an error: an unreadable member has its fresh value. */
export async function readStored<S extends z.ZodRawShape>(stored: StoredJson<S>): Promise<Values<S>> {
  let text: string;
  try {
    text = await readFile(stored.file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return stored.fresh;
    throw error;
  }
  return knownValues(stored, parsed(text));
}

/**
 * Writes the values. Unknown parts of the file, such as members of a newer version, are kept. Writes by rename, so that a crash
 * leaves the old values or the new ones. Synchronous, because the last write may happen while the window closes and must not be
 * lost. The file has a few hundred bytes.
 */
export function writeStored<S extends z.ZodRawShape>(stored: StoredJson<S>, values: Values<S>): void {
  mkdirSync(dirname(stored.file), { recursive: true, mode: 0o700 });
  const temporary = `${stored.file}.new`;
  const raw = existsSync(stored.file) ? parsed(readFileSync(stored.file, 'utf8')) : null;
  const text = JSON.stringify(withChanges(raw ?? values, knownValues(stored, raw), values));
  writeFileSync(temporary, text, { mode: 0o600 });
  renameFileNow(temporary, stored.file);
}

/** Returns the value of a JSON text; null for invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the part of a stored value that this version can read. Other members have their fresh values. */
function knownValues<S extends z.ZodRawShape>({ schema, fresh }: StoredJson<S>, raw: unknown): Values<S> {
  const members = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
  const known = Object.entries(schema.shape).flatMap(([name, member]) => {
    const read = (member as z.ZodType).safeParse(members[name]);
    return read.success ? [[name, read.data]] : [];
  });
  return { ...fresh, ...Object.fromEntries(known) };
}
