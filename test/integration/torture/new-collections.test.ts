import { expect, it } from 'vitest';
import { killNewCollections } from '../../torture/collections/kill-new-collections.ts';

it('creates collections that are made offline, and an upload into one, once, wherever the process is killed', async () => {
  const report = await killNewCollections(30, () => {});
  expect(report.kills).toBeGreaterThan(3);
}, 300_000);
