// Watched folders: no folder yet, the sheet for a new one, its rules with their preview, and files that arrive.
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { dropFiles, openView } from '../demo/window-steps.ts';
import { srtFile } from '../samples/srt.ts';
import { wavChunks } from '../samples/wav.ts';
import type { Studio } from './studio.ts';

const ARRIVES_MS = 60_000;

/** Recordings of two rooms, with captions and a log of the recorder. */
async function makeRecordings(root: string): Promise<void> {
  const talks: readonly [room: string, name: string, seconds: number][] = [
    ['Lecture hall', '2026-11-19 10-00 Wave optics.wav', 14],
    ['Lecture hall', '2026-11-20 10-00 Interference.wav', 12],
    ['Seminar room', '2026-11-20 14-15 Laser safety.wav', 9],
  ];
  for (const [room, name, seconds] of talks) {
    await mkdir(join(root, room), { recursive: true });
    await record(join(root, room, name), seconds);
  }
  await writeFile(join(root, 'Lecture hall', '2026-11-19 10-00 Wave optics.en.srt'), srtFile(['Good morning.'], 2));
  const details = { title: 'Laser safety', author: 'Dr. Jonas Weber', tags: ['safety', 'lab'] };
  await writeFile(join(root, 'Seminar room', '2026-11-20 14-15 Laser safety.json'), JSON.stringify(details));
  await writeFile(join(root, 'recorder.log'), 'started\n');
}

async function record(path: string, seconds: number): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const chunk of wavChunks(seconds)) await file.write(chunk);
  } finally {
    await file.close();
  }
}

export async function pictureWatched(studio: Studio, page: Page): Promise<void> {
  const root = join(studio.folder, 'Recordings');
  await makeRecordings(root);
  await openView(page, 'Watched folders');
  await page.getByRole('heading', { name: 'No watched folders yet' }).waitFor();
  await studio.take('watched-empty');

  await dropFiles(page, [root]);
  const sheet = page.getByRole('dialog', { name: 'Add a watched folder' });
  await sheet.getByText(/Upload them too \(/).click();
  await page.getByRole('combobox', { name: 'Collection' }).fill('Optics');
  await page
    .getByRole('option', { name: /Optics/ })
    .first()
    .click();
  await page.getByText('One collection per sub-folder').click();
  await page.getByRole('textbox', { name: 'Titles' }).fill('{clean} ({day})');
  await sheet.getByText('Laser safety (2026-11-20)').waitFor();
  await studio.take('watched-add');
  await sheet.getByRole('button', { name: 'More', exact: true }).click();
  await sheet.getByText(/^Use the JSON, XML or text file/).waitFor();
  await sheet.getByText('Sweep', { exact: false }).last().scrollIntoViewIfNeeded();
  await studio.take('watched-details');

  await page.getByRole('button', { name: 'Rules and preview…' }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Name of the rule').fill('No logs of the recorder');
  await page.getByLabel('Only names that match').fill('*.log');
  await page.keyboard.press('Enter');
  await page.getByText('Skip them').click();
  const log = page.locator('[data-preview-path="recorder.log"][data-verdict="skip"]');
  await log.waitFor();
  await log.click();
  await page.getByTestId('why').waitFor();
  await studio.take('watched-rules');

  await page.getByRole('button', { name: 'Add folder', exact: true }).click();
  const file = (name: string, state: string) =>
    page.locator(`[data-file-id][data-state="${state}"]`).filter({ hasText: name });
  await file('Laser safety.wav', 'settling')
    .getByText(/Ready in/)
    .waitFor();
  await page.locator('[data-message]').first().waitFor({ state: 'detached' });
  await studio.take('watched-settling');
  await page.getByRole('radiogroup', { name: 'Files' }).getByRole('radio', { name: 'Recent' }).click();
  for (const name of ['Laser safety.wav', 'Wave optics.wav']) await file(name, 'done').waitFor({ timeout: ARRIVES_MS });
  await studio.take('watched-recent');
}
