// The main job without a user: the real app on a virtual screen, driven through its windows.
import { resolve } from 'node:path';
import type { Page } from 'playwright';
import type { Sample } from '../samples/make-samples.ts';
import type { AppWindow } from './app-window.ts';
import type { LibraryService } from './library-service.ts';
import type { ReportLine } from './report.ts';
import type { Screens } from './screens.ts';
import { seenStates, watchStates } from './seen-states.ts';
import {
  addDropped,
  ask,
  chooseCollection,
  decide,
  dropFiles,
  listUploads,
  openSignIn,
  openView,
  type SeenUpload,
  typeCredentials,
  whenSignedIn,
} from './window-steps.ts';

const COLLECTION = 'Optics';
const ENDED = ['complete', 'failed', 'cancelled', 'skipped'];
const TIMEOUT_MS = 240_000;

interface LibraryFile {
  id: string;
  type: string | null;
  encodings?: readonly LibraryFile[] | null;
}

export interface JobOptions {
  window: AppWindow;
  service: LibraryService;
  samples: readonly Sample[];
  samplesDir: string;
  screens: Screens;
  say(line: string): void;
  signal: AbortSignal;
}

/** Signs in, drops the folder of recordings on a collection, and watches until each one has ended. */
export async function doMainJob(options: JobOptions): Promise<ReportLine[]> {
  const { window, service, samples, samplesDir, screens, say } = options;
  const { app, page } = window;
  await screens.take(page, 'sign-in');
  say('Signing in through the library’s own page, in a window of Mediadesk …');
  const { base_url: baseUrl, client_id: clientId, admin } = service.facts;
  const signIn = await openSignIn(app, page, { baseUrl, clientId });
  await screens.take(signIn, 'library-login');
  await typeCredentials(signIn, admin);
  await screens.take(signIn, 'library-consent');
  await decide(signIn, 'approve');
  await whenSignedIn(page);

  say(`Choosing the collection “${COLLECTION}” …`);
  await chooseCollection(page, COLLECTION);
  await screens.take(page, 'collection');

  say(`Dropping a folder of ${samples.length} recordings on the window …`);
  await dropFiles(page, [samplesDir], () => screens.take(page, 'drop'));
  await page.getByRole('button', { name: 'Add to the queue' }).waitFor();
  await screens.take(page, 'add');
  await watchStates(page);
  await addDropped(page);

  const ended = await watchUntilEnded(options, screens);
  await screens.take(page, 'complete');
  const seen = await seenStates(page);
  await openView(page, 'All items');
  await chooseCollection(page, COLLECTION);
  await page.getByText('Lecture 07 – Optics').first().waitFor();
  await screens.take(page, 'library-after');
  const lines: ReportLine[] = [];
  for (const sample of samples) {
    const captioned = ended.find(({ followUps }) => followUps.some(({ fileName }) => fileName === sample.fileName));
    lines.push(
      captioned === undefined
        ? await reportOf(sample, ended, seen, service)
        : await captionsReportOf(sample, captioned, page, service),
    );
  }
  return lines;
}

/** Polls until every recording has ended, and reports each change of state. */
async function watchUntilEnded({ window, samples, say, signal }: JobOptions, screens: Screens): Promise<SeenUpload[]> {
  const { page } = window;
  const printed = new Map<string, string>();
  // Captions belong to the recording with the same name.
  const recordings = samples.filter(({ kind }) => kind !== 'captions').length;
  let isPictured = false;
  const giveUpAt = Date.now() + TIMEOUT_MS;
  for (;;) {
    signal.throwIfAborted();
    const uploads = await listUploads(page);
    for (const { id, fileName, state } of uploads) {
      if (printed.get(id) === state) continue;
      printed.set(id, state);
      say(`  ${fileName}: ${state}`);
    }
    if (!isPictured && uploads.some(({ state }) => state === 'sending' || state === 'processing')) {
      isPictured = true;
      await screens.take(page, 'uploading');
    }
    if (uploads.length >= recordings && uploads.every(hasEnded)) {
      await whenPainted(page, uploads);
      return uploads;
    }
    if (Date.now() > giveUpAt) throw new Error(`The recordings had not ended after ${TIMEOUT_MS / 1000} s.`);
    await page.waitForTimeout(100);
  }
}

function hasEnded({ state, followUps }: SeenUpload): boolean {
  return ENDED.includes(state) && followUps.every((each) => each.state !== 'pending');
}

/** Waits until the rows on the screen show the state of the engine. */
async function whenPainted(page: Page, uploads: readonly SeenUpload[]): Promise<void> {
  for (const { id, state } of uploads) {
    await page.locator(`[data-upload-id="${id}"][data-state="${state}"]`).waitFor();
  }
}

async function reportOf(
  sample: Sample,
  uploads: readonly SeenUpload[],
  seen: Record<string, string[]>,
  service: LibraryService,
): Promise<ReportLine> {
  const upload = uploads.find(({ path }) => resolve(path) === resolve(sample.path));
  const stored = upload?.fileId ? await service.storedFile(upload.fileId) : null;
  return {
    fileName: sample.fileName,
    size: sample.size,
    states: upload ? (seen[upload.id] ?? []) : [],
    outcome: upload?.state ?? 'not queued',
    sentSha256: sample.sha256,
    storedSha256: stored?.sha256 ?? null,
    storedSize: stored?.size ?? null,
  };
}

/** Returns the captions that were uploaded with a recording. */
async function captionsReportOf(
  { fileName, size, sha256 }: Sample,
  { siteId, mediaId, followUps, fileName: recording }: SeenUpload,
  page: Page,
  service: LibraryService,
): Promise<ReportLine> {
  const state = followUps.find((each) => each.fileName === fileName)?.state ?? 'pending';
  const { files } = await ask<{ files: LibraryFile[] }>(page, 'library.media', { siteId, mediaId });
  const captions = files.flatMap((file) => [file, ...(file.encodings ?? [])]).find(({ type }) => type === 'captions');
  const stored = captions === undefined ? null : await service.storedFile(captions.id);
  return {
    fileName,
    size,
    states: [`with ${recording}`, state],
    outcome: state === 'done' ? 'complete' : state,
    sentSha256: sha256,
    storedSha256: stored?.sha256 ?? null,
    storedSize: stored?.size ?? null,
  };
}

/** The name of the user who is signed in, for the last line of the demo. */
export async function accountName(page: Page): Promise<string | null> {
  const [site] = await ask<{ accountName: string | null }[]>(page, 'sites.list', null);
  return site?.accountName ?? null;
}
