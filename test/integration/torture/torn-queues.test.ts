import { expect, it } from 'vitest';
import { DAMAGES } from '../../torture/torn/damages.ts';
import { openMirrorTornAtPages } from '../../torture/torn/torn-mirrors.ts';
import { openQueueTornAtPages, openTornQueues } from '../../torture/torn/torn-queues.ts';

it('a queue torn by a crash or a bad disk opens, reports what is missing or renamed, and is never silently empty', async () => {
  const report = await openTornQueues(3 * DAMAGES.length, 1, () => {});
  expect(report.setAside).toBeGreaterThan(0);
  expect(report.rowsMissing).toBeGreaterThan(0);
  expect(report.rowsFailed).toBeGreaterThan(0);
  expect(report.editsMissing).toBeGreaterThan(0);
  expect(report.editsRefused).toBeGreaterThan(0);
  expect(report.whole).toBeGreaterThan(0);
}, 600_000);

it('a queue torn at a page opens, reports what is missing or renamed, and is never silently empty', async () => {
  // All pages, with every damage: `npm run torture -- torn --pages`.
  const report = await openQueueTornAtPages(149, 1, () => {});
  expect(report.cases).toBeGreaterThan(10);
  expect(report.whole).toBeLessThan(report.cases);
}, 600_000);

it('a mirror torn at a page is reported and created again, or correct after a pass, with its pending edits', async () => {
  // All pages, with every damage: `npm run torture -- torn --mirror`.
  const report = await openMirrorTornAtPages(71, 1, () => {});
  expect(report.cases).toBeGreaterThan(10);
  expect(report.rebuilt).toBeGreaterThan(0);
  expect(report.healed).toBeGreaterThan(0);
}, 600_000);
