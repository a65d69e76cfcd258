import { expect, it } from 'vitest';
import { killNewCollections } from '../../torture/collections/kill-new-collections.ts';

it('collections that are created offline, and an upload into one, are created once, wherever the process is killed', async () => {
  const report = await killNewCollections(30, () => {});
  expect(report.kills).toBeGreaterThan(3);
}, 600_000);
