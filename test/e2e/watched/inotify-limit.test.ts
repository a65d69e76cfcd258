// The display of the window when the limit of Linux for watched folders is reached. The app runs with a real limit of its own.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import { watchRulesSchema } from '../../../shared/contract/watch-rules.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { mayLimitInotify, setInotifyLimit, writeLimitedLauncher } from '../../helpers/system/inotify-limit.ts';

/** More folders than the app may watch; the app itself and Chromium need some watches too. */
const FOLDERS = 120;
const LIMIT = 60;
/** A file settles for at least ten seconds after a sweep found it. */
const UPLOADED_MS = 90_000;

describe.runIf(mayLimitInotify())('a watched folder with more folders than the system reports changes in', () => {
  let opened: SignedInApp;
  let folder: string;
  let desktop: DesktopApp;
  let page: Page;

  beforeAll(async () => {
    opened = await openSignedInApp({
      service: { seed: 'demo' },
      prepare: async (library) => {
        ({ folder } = library);
        for (let index = 0; index < FOLDERS; index += 1)
          await mkdir(join(folder, 'Archive', `Week ${index}`), { recursive: true });
        await mkdir(join(folder, 'Studio'));
      },
      launch: { launcher: (program) => writeLimitedLauncher(join(folder, 'limited'), program, LIMIT) },
    });
    ({ desktop, page } = opened);
  });
  afterAll(() => opened?.close());

  const row = (name: string) => page.locator('[data-folder-id]').filter({ hasText: name });
  const notice = () => page.getByTestId('folder-notice');

  const archive = async () =>
    (await ask<WatchedFolder[]>(page, 'watch.list', null)).find(({ name }) => name === 'Archive') as WatchedFolder;
  const uploads = async () =>
    (await ask<CallOutput<'uploads.list'>>(page, 'uploads.list', { limit: 10 })).rows.map(({ fileName, state }) => [
      fileName,
      state,
    ]);

  async function watch(name: string): Promise<void> {
    const [site] = await ask<{ id: string }[]>(page, 'sites.list', null);
    const [first] = await ask<CallOutput<'library.collections'>>(page, 'library.collections', {
      siteId: site?.id,
      parentId: null,
    });
    const collection = { kind: 'fixed', collection: { kind: 'id', id: first?.id, name: first?.displayName } };
    const rules = watchRulesSchema.parse({ defaults: { settings: { siteId: site?.id, collection } } });
    await ask(page, 'watch.add', { path: join(folder, name), rules });
    await openView(page, 'Watched folders');
    await row(name).click();
  }

  it('has a notice that only sweeps find new files, and how to raise the limit; another folder is watched as usual', async () => {
    await watch('Studio');
    await row('Studio').and(page.locator('[data-state="watching"]')).waitFor();
    await watch('Archive');
    await row('Archive').and(page.locator('[data-state="sweep-only"]')).waitFor();
    await notice().getByText('The system can’t report changes in more folders').waitFor();
    await notice().getByText('sudo sysctl fs.inotify.max_user_watches=524288').waitFor();
    expect(await row('Studio').getAttribute('data-state')).toBe('watching');
  });

  it('uploads a new file that a sweep finds', async () => {
    await writeFile(join(folder, 'Archive', `Week ${FOLDERS - 1}`, 'talk.bin'), 'a talk');
    // Runs the next sweep immediately.
    await ask(page, 'watch.sweepNow', { folderId: (await archive()).id });
    await expect.poll(uploads, { timeout: UPLOADED_MS }).toEqual([['talk.bin', 'complete']]);
  });

  it('is watched with events again when the limit was raised and the folder was paused and resumed', async () => {
    setInotifyLimit(desktop.app.process().pid ?? 0, 10 * FOLDERS);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await row('Archive').and(page.locator('[data-state="paused"]')).waitFor();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    // With events, the next sweep is ten minutes away.
    const nextSweepInMs = async () => ((await archive()).nextSweepAt ?? 0) - Date.now();
    await expect.poll(nextSweepInMs, { timeout: 60_000 }).toBeGreaterThan(5 * 60_000);
    await row('Archive').and(page.locator('[data-state="watching"]')).waitFor();
    expect(await notice().count()).toBe(0);
    await writeFile(join(folder, 'Archive', `Week ${FOLDERS - 1}`, 'second.bin'), 'another talk');
    await expect.poll(uploads, { timeout: UPLOADED_MS }).toContainEqual(['second.bin', 'complete']);
  });
});
