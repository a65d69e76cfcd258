// The mark of pending edits in lists: it does not flicker when edits are sent soon. Undo and redo of an edit in the window.
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, openView } from '../../../build/demo/window-steps.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let page: Page;
let siteId: string;
let id: string;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      id = (await direct.createItem('Talk')).split('/').at(-1) ?? '';
    },
  });
  page = opened.page;
  siteId = (await ask<{ id: string }[]>(page, 'sites.list', null))[0]?.id ?? '';
  await ask(page, 'library.syncNow', { siteId });
  await page.getByRole('row').filter({ hasText: 'Talk' }).waitFor();
}, 600_000);
afterAll(() => opened?.close());

const item = async () => (await opened.direct.get(`/api2/media/${id}`)).body;
const edit = (value: string) => {
  const change = { byline: { kind: 'set', value }, tags: { kind: 'change', add: [value], remove: [] } };
  return ask(page, 'edits.apply', { selection: { siteId, ids: [id] }, change, label: `To ${value}` });
};

/** The number of frames with marks in the page, with a visible mark, and with a visible mark in the first second of the edit. */
interface Frames {
  present: number;
  visible: number;
  early: number;
}

/** Counts the frames with marks until the edit is sent. */
async function framesOfEdit(value: string, delayMs: number): Promise<Frames> {
  const fault = { method: 'POST', path: `/api2/media/${id}`, times: 1, action: { kind: 'delay', ms: delayMs } };
  await opened.service.control('POST', '/faults', fault);
  await page.evaluate(() => {
    const frames = { present: 0, visible: 0, early: 0, isOver: false };
    Object.assign(globalThis, { frames });
    // The edit starts after this time, so each frame in the first second from here is before the second second of the edit.
    const fromMs = performance.now();
    const countMarks = () => {
      if (frames.isOver) return;
      for (const mark of document.querySelectorAll('[role="row"] [data-pending]')) {
        frames.present += 1;
        if (getComputedStyle(mark).visibility !== 'visible') continue;
        frames.visible += 1;
        if (performance.now() - fromMs < 1000) frames.early += 1;
      }
      requestAnimationFrame(countMarks);
    };
    requestAnimationFrame(countMarks);
  });
  await edit(value);
  const totals = async () => (await ask<{ totals: { pending: number } }>(page, 'edits.groups', {})).totals.pending;
  await expect.poll(totals, { timeout: 60_000 }).toBe(0);
  await page.locator('[role="row"] [data-pending]').waitFor({ state: 'detached' });
  return page.evaluate(() => {
    const { frames } = globalThis as unknown as { frames: Frames & { isOver: boolean } };
    frames.isOver = true;
    return frames;
  });
}

describe('the mark of a pending edit', () => {
  it('is not visible in the first second of an edit', async () => {
    const { present, early } = await framesOfEdit('quick', 400);
    expect(present).toBeGreaterThan(0);
    expect(early).toBe(0);
  });

  it('becomes visible after the first second when an edit takes longer', async () => {
    const { visible, early } = await framesOfEdit('slow', 4000);
    expect(visible).toBeGreaterThan(0);
    expect(early).toBe(0);
  });
});

describe('an edit of an item in the history', () => {
  it('is undone and redone by its buttons', async () => {
    expect(await item()).toMatchObject({ byline: 'slow', tags: ['quick', 'slow'] });
    await openView(page, 'Edits');
    await page.getByRole('radio', { name: /^History/ }).click();
    const row = page.getByRole('row').filter({ hasText: /^To slow/ });
    await row.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(item).toMatchObject({ byline: 'quick', tags: ['quick'] });
    await row.getByRole('button', { name: 'Redo' }).click();
    const fields = async () => {
      const { byline, tags } = await item();
      return { byline, tags: [...tags].sort() };
    };
    await expect.poll(fields).toEqual({ byline: 'slow', tags: ['quick', 'slow'] });
  });
});
