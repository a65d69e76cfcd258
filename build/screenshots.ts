// Takes the pictures of docs/screenshots: every view of the real app on the demo library. Records the sources that each
// picture shows, so that `npm run check` finds pictures older than their views.
//
//   npm run screenshots [-- SCENE…]              the pictures of the documentation
//   npm run screenshots -- --to DIR [SCENE…]     light and dark pictures for review, in another folder
//   npm run screenshots -- --to DIR --sizes usual,wide,small [SCENE…]     the same in three sizes of the window
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from './demo/project.ts';
import { startDesktopSession } from './desktop-session.ts';
import { prepare } from './prepare.ts';
import { makePictureRecordings } from './screenshots/picture-recordings.ts';
import { recordSources } from './screenshots/picture-sources.ts';
import { pictureCollections } from './screenshots/scenes-collections.ts';
import { pictureBulkEdits, pictureEdits } from './screenshots/scenes-editing.ts';
import { pictureEmptyCollection, pictureLibrary } from './screenshots/scenes-library.ts';
import { pictureQueue } from './screenshots/scenes-queue.ts';
import { pictureSignIn, signInQuietly } from './screenshots/scenes-signed-out.ts';
import { pictureNoKeychain, pictureUnreachable, pictureWaiting } from './screenshots/scenes-trouble.ts';
import { pictureFailures, pictureUploads } from './screenshots/scenes-uploads.ts';
import { pictureWatched } from './screenshots/scenes-watched.ts';
import { documentationStore, openStudio, SIZES, type Size, type Studio } from './screenshots/studio.ts';

const say = (line: string) => console.log(line);

async function takeAll(studio: Studio, wanted: readonly string[]): Promise<void> {
  const recordings = await makePictureRecordings(studio.folder);
  const scenes: [name: string, scene: () => Promise<void>][] = [
    ['sign-in', () => pictureSignIn(studio)],
    [
      'library',
      async () => {
        const page = await signInQuietly(studio);
        await pictureLibrary(studio, page);
        await pictureEmptyCollection(studio, page);
      },
    ],
    ['collections', async () => pictureCollections(studio, await signInQuietly(studio))],
    ['bulk-edits', async () => pictureBulkEdits(studio, await signInQuietly(studio))],
    ['edits', () => pictureEdits(studio)],
    ['uploads', async () => pictureUploads(studio, await signInQuietly(studio), recordings)],
    [
      'failures',
      async () => {
        studio.relay.setSpeed(null);
        await pictureFailures(studio, await signInQuietly(studio), recordings);
      },
    ],
    ['queue', async () => pictureQueue(studio, await signInQuietly(studio), recordings)],
    [
      'watched',
      async () => {
        studio.relay.setSpeed(null);
        await pictureWatched(studio, await signInQuietly(studio));
      },
    ],
    ['waiting', () => pictureWaiting(studio, recordings)],
    ['keychain', () => pictureNoKeychain(studio)],
    // Must be last, because it ends the service.
    ['unreachable', () => pictureUnreachable(studio, recordings)],
  ];
  for (const [name, scene] of scenes) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    say(name);
    await scene().catch(async (error: unknown) => {
      await studio.takeFailure();
      throw error;
    });
  }
}

function readSizes(list: string): Size[] {
  return list.split(',').map((name) => {
    if (!(name in SIZES)) throw new Error(`Unknown size: ${name}. Sizes: ${Object.keys(SIZES).join(', ')}.`);
    return name as Size;
  });
}

const { values, positionals } = parseArgs({
  options: { to: { type: 'string' }, sizes: { type: 'string', default: 'usual' } },
  allowPositionals: true,
});
const store =
  values.to === undefined
    ? await documentationStore()
    : { dir: resolve(values.to), themes: ['light', 'dark'] as const, sizes: readSizes(values.sizes), only: null };
const runtime = await prepare({ desktop: 'virtual', say });
if (!runtime) throw new Error('No Electron was found.');
const desktop = await startDesktopSession({ size: { width: 2000, height: 1200 } });
try {
  const studio = await openStudio({ runtime, env: desktop.env, store, say });
  try {
    await takeAll(studio, positionals);
    if (values.to === undefined) await recordSources(projectDir, studio.taken);
  } finally {
    await studio.dispose();
  }
} finally {
  await desktop.stop();
}
