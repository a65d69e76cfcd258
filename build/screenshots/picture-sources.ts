// The sources that a picture of the documentation shows, and whether they changed after it was taken.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceFiles } from '../checks/source-files.ts';

/** The folders below `renderer` that pictures show, by the first part of their names. Every picture also shows `ALWAYS`. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  add: ['features/uploads'],
  admin: ['shell', 'features/admin'],
  calendar: ['shell', 'features/calendar', 'features/library'],
  drop: ['shell', 'features/library'],
  edits: ['shell', 'features/edits'],
  inspector: ['shell', 'features/library'],
  library: ['shell', 'features/library'],
  new: ['shell', 'features/library'],
  palette: ['shell'],
  receipts: ['shell', 'features/receipts'],
  settings: ['shell', 'features/settings'],
  sign: ['features/sign-in'],
  trouble: ['shell', 'features/uploads', 'features/sign-in'],
  uploads: ['shell', 'features/uploads'],
  watched: ['shell', 'features/watched'],
};
const ALWAYS = ['kit/components', 'kit/styles', 'kit/text', 'features/common'];

/** A change of state or of a command shows only through a screen. */
const SHOWS_NOTHING = /\/(?:state|commands)\//;

const picturesDir = (root: string) => join(root, 'docs', 'screenshots');
const recordPath = (root: string) => join(picturesDir(root), 'sources.json');

/** Stores the current digests of the sources of these pictures. Pictures that no longer exist are removed from the record. */
export async function recordSources(root: string, taken: readonly string[]): Promise<void> {
  const digests = await currentDigests(root);
  const old = await readRecord(root);
  const names = await pictureNames(root);
  const record = names.map((name) => [name, taken.includes(name) ? digests(name) : (old[name] ?? '')]);
  await writeFile(recordPath(root), `${JSON.stringify(Object.fromEntries(record), null, 2)}\n`);
}

/** Returns the pictures whose sources changed since they were taken. */
export async function stalePictures(root: string): Promise<string[]> {
  const digests = await currentDigests(root);
  const record = await readRecord(root);
  return (await pictureNames(root)).filter((name) => record[name] !== digests(name));
}

export async function pictureNames(root: string): Promise<string[]> {
  return (await readdir(picturesDir(root))).filter((name) => name.endsWith('.png')).sort();
}

/** Returns the pictures that the documentation cites. */
export async function citedPictures(root: string): Promise<Set<string>> {
  const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
  const pages = [join(root, 'README.md'), ...docs.map((name) => join(root, 'docs', name))];
  const texts = await Promise.all(pages.map((page) => readFile(page, 'utf8')));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/screenshots\/([a-z0-9-]+\.png)/g)].map(([, name]) => name ?? '')),
  );
}

async function readRecord(root: string): Promise<Record<string, string>> {
  const text = await readFile(recordPath(root), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return JSON.parse(text);
}

/** Returns a function that computes the digest of the sources of a picture. */
async function currentDigests(root: string): Promise<(picture: string) => string> {
  const files = (await sourceFiles(root, ['.ts', '.tsx', '.css'])).filter((file) => file.startsWith('renderer/'));
  const digests = new Map<string, string>();
  for (const file of files) digests.set(file, sha256(visiblePart(await readFile(join(root, file), 'utf8'))));
  return (picture) => {
    const views = VIEWS[picture.split(/[-.]/, 1)[0] ?? ''];
    if (views === undefined)
      throw new Error(`build/screenshots/picture-sources.ts does not know what ${picture} shows.`);
    const folders = [...ALWAYS, ...views].map((folder) => `renderer/${folder}/`);
    const shown = files
      .filter((file) => !SHOWS_NOTHING.test(file) && folders.some((folder) => file.startsWith(folder)))
      .sort();
    return sha256(shown.map((file) => `${file} ${digests.get(file)}`).join('\n')).slice(0, 16);
  };
}

/** A source without its comments and line breaks, so that a changed comment makes no picture stale. */
function visiblePart(source: string): string {
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^(\/\/|\/\*|\*)/.test(line))
    .join(' ');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
