import { expect, it } from 'vitest';
import { DAMAGES } from '../../torture/torn/damages.ts';
import { openQueueTornAtPages, openTornQueues } from '../../torture/torn/torn-queues.ts';

it('a queue torn by a crash or a bad disk opens, reports what is missing or renamed, and is never silently empty', async () => {
  const report = await openTornQueues(3 * DAMAGES.length, 1, () => {});
  expect(report.setAside).toBeGreaterThan(0);
  expect(report.rowsMissing).toBeGreaterThan(0);
  expect(report.rowsFailed).toBeGreaterThan(0);
  expect(report.editsMissing).toBeGreaterThan(0);
  expect(report.editsRefused).toBeGreaterThan(0);
  expect(report.whole).toBeGreaterThan(0);
}, 120_000);

it('a queue torn at a page opens, reports what is missing or renamed, and is never silently empty', async () => {
  const report = await openQueueTornAtPages(23, 7, () => {});
  expect(report.cases).toBeGreaterThan(4);
  expect(report.whole).toBeLessThan(report.cases);
}, 120_000);
