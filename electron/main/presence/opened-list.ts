import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The option that names a list of what was opened, in the profile. */
const OPTION = '--opened-list=';
/** Chosen by Mediadesk; a name of any other form is no list. */
const NAME = /^opened-[0-9a-f]{32}\.json$/;
/** The system allows arguments of 2 MB at most. */
const MOST_BYTES = 4 * 1024 * 1024;

const listSchema = z.object({ args: z.array(z.string()).max(100_000), workingDir: z.string() });
export type OpenedList = z.output<typeof listSchema>;

/**
 * Stores arguments that are too long for the message to a running app, and returns the argument that names them. Only this user
 * can write into the profile, so the list is as trustworthy as arguments are.
 */
export function writeOpenedList(profileDir: string, list: OpenedList): string {
  const name = `opened-${randomBytes(16).toString('hex')}.json`;
  writeFileSync(join(profileDir, name), JSON.stringify(list), { mode: 0o600, flag: 'wx' });
  return `${OPTION}${name}`;
}

/** Reads the list that the arguments name, once, and removes it; null: they name none, or none that can be read. */
export function takeOpenedList(profileDir: string, args: readonly string[]): OpenedList | null {
  const name = args.findLast((argument) => argument.startsWith(OPTION))?.slice(OPTION.length) ?? '';
  if (!NAME.test(name)) return null;
  const file = join(profileDir, name);
  try {
    // O_NOFOLLOW is missing on Windows, which has no such links without special rights.
    const opened = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const facts = fstatSync(opened);
      if (!facts.isFile() || facts.size > MOST_BYTES) return null;
      const read = listSchema.safeParse(JSON.parse(readFileSync(opened, 'utf8')));
      return read.success ? read.data : null;
    } finally {
      closeSync(opened);
      rmSync(file, { force: true });
    }
  } catch {
    // It was taken before, or is damaged: nothing is offered.
    return null;
  }
}
