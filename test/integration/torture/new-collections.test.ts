import { expect, it } from 'vitest';
import { killNewCollections } from '../../torture/collections/kill-new-collections.ts';

it('creates collections that are made offline once, wherever the process is killed', async () => {
  const report = await killNewCollections(20, () => {});
  expect(report.kills).toBeGreaterThan(3);
}, 180_000);
