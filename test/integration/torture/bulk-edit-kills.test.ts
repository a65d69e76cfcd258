import { expect, it } from 'vitest';
import { killBulkEdits } from '../../torture/edits/kill-bulk-edits.ts';
import { anySeed } from '../../torture/with-seed.ts';

it('an edit of many items sends each value exactly once when the engine is killed, and its undo restores them', async () => {
  // With more items: `npm run torture -- edits`.
  const report = await killBulkEdits(400, 2, anySeed(), () => {});
  expect(report).toMatchObject({ items: 400, left: 10 });
}, 240_000);
