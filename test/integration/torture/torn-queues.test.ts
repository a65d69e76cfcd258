import { expect, it } from 'vitest';
import { DAMAGES } from '../../torture/torn/damages.ts';
import { openTornQueues } from '../../torture/torn/torn-queues.ts';

it('a queue that a crash or a bad disk tore opens, says what is missing or is set aside, and never is empty in silence', async () => {
  const report = await openTornQueues(3 * DAMAGES.length, 1, () => {});
  expect(report.setAside).toBeGreaterThan(0);
  expect(report.rowsMissing).toBeGreaterThan(0);
  expect(report.rowsFailed).toBeGreaterThan(0);
  expect(report.whole).toBeGreaterThan(0);
}, 120_000);
