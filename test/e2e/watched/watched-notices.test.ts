// The notices of a watched folder in the window when its drive, its path or its rules prevent uploads.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, openView } from '../../../build/demo/window-steps.ts';
import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import { watchRulesSchema } from '../../../shared/contract/watch-rules.ts';
import type { DesktopApp } from '../../helpers/desktop/desktop-app.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { mayMount, mountSmallDisk, type SmallDisk } from '../../helpers/system/small-disk.ts';
import { mayMountShare, mountShare } from '../../helpers/system/sshfs-share.ts';

let opened: SignedInApp;
let folder: string;
let desktop: DesktopApp;
let page: Page;
const atTheEnd: (() => unknown)[] = [];

beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
  ({ folder, desktop, page } = opened);
});
afterAll(async () => {
  await desktop?.close();
  for (const end of atTheEnd) await end();
  await opened?.close();
});

const row = (name: string) => page.locator('[data-folder-id]').filter({ hasText: name });
const notice = () => page.getByTestId('folder-notice');
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Watches a folder as the form does, and opens it. */
async function watch(root: string): Promise<WatchedFolder> {
  const [site] = await ask<{ id: string }[]>(page, 'sites.list', null);
  const collections = await ask<{ id: string; displayName: string }[]>(page, 'library.collections', {
    siteId: site?.id,
    parentId: null,
  });
  const { id = '', displayName: name = '' } = collections[0] ?? {};
  const collection = { kind: 'fixed', collection: { kind: 'id', id, name } };
  const rules = watchRulesSchema.parse({ defaults: { settings: { siteId: site?.id, collection } } });
  const added = await ask<WatchedFolder>(page, 'watch.add', { path: root, rules, sweepEveryMs: 10_000 });
  await openView(page, 'Watched folders');
  await row(added.name).click();
  return added;
}
/** Runs the next sweep immediately. */
const sweep = ({ id }: WatchedFolder) => ask(page, 'watch.sweepNow', { folderId: id });

describe('a watched folder', () => {
  it('that was renamed is watched at its new place when the user says that it is the same folder', async () => {
    await mkdir(join(folder, 'Studio A'));
    const added = await watch(join(folder, 'Studio A'));
    await row('Studio A').and(page.locator('[data-state="watching"]')).waitFor();
    await rename(join(folder, 'Studio A'), join(folder, 'Studio A (old)'));
    await sweep(added);
    await notice().getByText('This folder seems to have moved.').waitFor();
    await notice().getByText('Studio A (old)').waitFor();
    await button('Same folder').click();
    await row('Studio A (old)').and(page.locator('[data-state="watching"]')).waitFor();
    expect(await notice().count()).toBe(0);
  });

  it('that became a file has a notice about it, and is watched again when it is a folder again', async () => {
    await mkdir(join(folder, 'Studio B'));
    const added = await watch(join(folder, 'Studio B'));
    await row('Studio B').and(page.locator('[data-state="watching"]')).waitFor();
    await rm(join(folder, 'Studio B'), { recursive: true });
    await writeFile(join(folder, 'Studio B'), 'no folder');
    await sweep(added);
    await row('Studio B').and(page.locator('[data-state="unusable"]')).waitFor();
    await notice().getByText('This isn’t a folder.').waitFor();
    await button('Choose its new place…').waitFor();
    await rm(join(folder, 'Studio B'));
    await mkdir(join(folder, 'Studio B'));
    await sweep(added);
    await row('Studio B').and(page.locator('[data-state="watching"]')).waitFor();
  });

  it.runIf(mayMount())('on a drive that was removed waits for it, without an error', async () => {
    const disk: SmallDisk = mountSmallDisk(4);
    atTheEnd.push(() => disk.remove());
    await mkdir(join(disk.path, 'Recorder'));
    const added = await watch(join(disk.path, 'Recorder'));
    await row('Recorder').and(page.locator('[data-state="watching"]')).waitFor();
    disk.pull();
    await sweep(added);
    await row('Recorder').and(page.locator('[data-state="waiting-for-drive"]')).waitFor();
    await notice().getByText('isn’t connected.').waitFor();
    await button('Choose its new place…').waitFor();
  });

  it.runIf(mayMountShare())('on a network drive has a notice that only sweeps find new files', async () => {
    const [server, mountPoint] = [join(folder, 'server'), join(folder, 'Share')];
    await mkdir(server);
    await mkdir(mountPoint);
    atTheEnd.push(await mountShare(server, mountPoint));
    await watch(mountPoint);
    await row('Share').and(page.locator('[data-state="sweep-only"]')).waitFor();
    await notice().getByText('only sweeps find new files').waitFor();
  });

  it('keeps rules that were not saved when the app is closed', async () => {
    await row('Studio A (old)').click();
    await button('Edit rules…').click();
    await button('Add rule').click();
    await page.getByLabel('Name of the rule').fill('Only interviews');
    ({ desktop, page } = await opened.reopen());
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText('Your unsaved rules of Studio A (old) are still open in Watched folders.').waitFor();
    await openView(page, 'Watched folders');
    expect(await page.getByLabel('Name of the rule').inputValue()).toBe('Only interviews');
  });
});
