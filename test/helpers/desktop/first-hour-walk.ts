// The tasks of a new user's first hour, in order. The walks by mouse and by keyboard differ in how each action is done.
import { basename } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceProcess, startService } from '../service/service-process.ts';
import { beginHour, type Hour, type HourKind, hourSizes } from './first-hour.ts';

type Account = ServiceProcess['admin'];

/** How a user acts in the window: one way to do each action that the tasks of the hour need. */
export interface HourWay {
  kind: HourKind;
  /** Presses the button of this name in the window. */
  press(page: Page, name: string): Promise<void>;
  /** Presses the button that ends the open dialog, whose only field has the focus. */
  confirm(dialog: Locator, name: string): Promise<void>;
  /** Puts `text` into the field of this label, instead of what is there. */
  replace(page: Page, label: string, text: string): Promise<void>;
  /** Answers the pages of the library: account, password, consent. Resolves when their window is closed. */
  answerSignIn(login: Page, account: Account): Promise<void>;
  openCollection(hour: Hour, name: string): Promise<void>;
  openReceipts(hour: Hour): Promise<void>;
  openNewestReceipt(hour: Hour): Promise<void>;
  /** Opens the picker of files, for the open collection. */
  pickFiles(page: Page): Promise<void>;
  /** Does `action` for the newest upload, which `row` shows. Ends the step `name` before. */
  actOnNewest(hour: Hour, row: Locator, action: string, name: string): Promise<void>;
  /** Opens the item of this title, which the open collection contains, in the inspector. */
  inspect(hour: Hour, title: string): Promise<void>;
  save(page: Page): Promise<void>;
  closeInspector(page: Page): Promise<void>;
  /** Opens the dialog for a new collection, with the focus on its field for the name. */
  beginCollection(hour: Hour): Promise<void>;
  /** Opens the sheet for the folder at `path`, with this collection in it. */
  beginFolder(hour: Hour, path: string, collection: string): Promise<void>;
  chooseDark(hour: Hour): Promise<void>;
}

/** Registers the walk in each size of the window; all walks of a file share one library service. */
export function testFirstHour(way: HourWay): void {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService({ seed: 'demo' });
    await service.control('PATCH', '/settings', { processing: { tools: 'none' } });
  });
  afterAll(() => service?.stop());

  it.each(hourSizes(way.kind))(
    `a new user can do the tasks of the first hour by ${way.kind} at $name`,
    async (size) => {
      const hour = await beginHour(service, size, way.kind);
      try {
        await signIn(way, hour, service.admin);
        const recording = await upload(way, hour);
        await decideDuplicate(way, hour, recording);
        await retryFailure(way, hour, service);
        await editAndPublish(way, hour);
        await createCollection(way, hour);
        await watchFolder(way, hour);
        await readReceipt(way, hour);
        await changeSettings(way, hour);
      } finally {
        await hour.end();
      }
    },
  );
}

async function signIn(way: HourWay, { desktop, page, step }: Hour, account: Account): Promise<void> {
  await step('sign-in');
  const opened = desktop.app.waitForEvent('window');
  await way.press(page, 'Sign in');
  await way.answerSignIn(await opened, account);
  await page.getByRole('grid', { name: 'Items' }).getByRole('row').nth(1).waitFor();
  await step('library');
}

async function openCollection(way: HourWay, hour: Hour, name: string): Promise<void> {
  await way.openCollection(hour, name);
  await hour.page.getByRole('heading', { name, exact: true }).first().waitFor();
}

const rowOf = ({ page }: Hour, name: string, state: string) =>
  page.locator(`[data-upload-id][data-state="${state}"]`).filter({ hasText: name }).first();

/** Adds a file to the open collection, and waits until the list of uploads shows it. */
async function add(way: HourWay, hour: Hour, path: string, step: string | null = null): Promise<void> {
  const { page } = hour;
  await hour.answerPicker(path);
  await way.pickFiles(page);
  await page.getByRole('heading', { name: 'Add 1 file' }).waitFor();
  if (step !== null) await hour.step(step);
  await way.press(page, 'Add to the queue');
  await page.getByRole('heading', { name: 'Uploads', exact: true }).waitFor();
  const added = page.locator('[data-upload-id]').filter({ hasText: basename(path) });
  await added.first().waitFor();
}

async function upload(way: HourWay, hour: Hour): Promise<string> {
  await openCollection(way, hour, 'Optics');
  await hour.step('collection');
  const path = await hour.file(`${hour.own('Opening talk')}.txt`);
  await add(way, hour, path, 'add-sheet');
  await hour.step('uploads');
  await rowOf(hour, hour.own('Opening talk'), 'complete').waitFor();
  await hour.step('upload-complete');
  return path;
}

async function decideDuplicate(way: HourWay, hour: Hour, path: string): Promise<void> {
  await openCollection(way, hour, 'Optics');
  await add(way, hour, path);
  const asking = rowOf(hour, hour.own('Opening talk'), 'failed');
  await asking.getByText('Needs decision').waitFor();
  await way.actOnNewest(hour, asking, 'Skip', 'duplicate');
  await hour.page.getByRole('row', { name: '1 file was skipped' }).waitFor();
  await hour.step('duplicate-skipped');
}

async function retryFailure(way: HourWay, hour: Hour, service: ServiceProcess): Promise<void> {
  await service.control('PATCH', '/settings', { processing: { outcome: 'error' } });
  await openCollection(way, hour, 'Optics');
  await add(way, hour, await hour.file(`${hour.own('Panel')}.txt`));
  const failed = rowOf(hour, hour.own('Panel'), 'failed');
  await failed.waitFor();
  await service.control('PATCH', '/settings', { processing: { outcome: 'auto' } });
  await way.actOnNewest(hour, failed, 'Retry', 'failure');
  await rowOf(hour, hour.own('Panel'), 'complete').waitFor();
  await hour.step('retried');
}

async function editAndPublish(way: HourWay, hour: Hour): Promise<void> {
  const { page, step } = hour;
  await openCollection(way, hour, 'Optics');
  await way.inspect(hour, hour.own('Opening talk'));
  await way.replace(page, 'Title', `${hour.own('Opening talk')} of the autumn school`);
  await step('edit');
  await way.save(page);
  await page.getByText('Not saved yet').waitFor({ state: 'detached' });
  await way.press(page, 'Publish now');
  const publication = page.getByRole('region', { name: 'Publication' });
  await publication.getByRole('button', { name: 'Unpublish' }).waitFor();
  await step('published');
  await way.closeInspector(page);
}

async function createCollection(way: HourWay, hour: Hour): Promise<void> {
  const { page, step } = hour;
  await way.beginCollection(hour);
  const dialog = page.getByRole('dialog', { name: 'New collection' });
  await page.keyboard.type(hour.own('Autumn school'));
  await step('new-collection');
  await way.confirm(dialog, 'Create');
  await dialog.waitFor({ state: 'detached' });
  await openCollection(way, hour, hour.own('Autumn school'));
  await step('empty-collection');
}

async function watchFolder(way: HourWay, hour: Hour): Promise<void> {
  const { page, step } = hour;
  const collection = hour.own('Autumn school');
  await way.beginFolder(hour, await hour.folder('Recorder'), collection);
  const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
  const field = sheet.getByRole('combobox', { name: 'Collection' });
  await expect.poll(() => field.inputValue()).toBe(collection);
  await step('watched-add');
  await way.press(page, 'Add folder');
  await sheet.waitFor({ state: 'detached' });
  await step('watched');
}

async function readReceipt(way: HourWay, hour: Hour): Promise<void> {
  await way.openReceipts(hour);
  await hour.step('receipts');
  await way.openNewestReceipt(hour);
  await hour.page.getByTestId('receipt-totals').waitFor();
  await hour.step('receipt');
}

async function changeSettings(way: HourWay, hour: Hour): Promise<void> {
  await way.chooseDark(hour);
  await hour.page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await hour.step('settings');
}
