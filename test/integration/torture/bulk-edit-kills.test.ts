import { expect, it } from 'vitest';
import { killBulkEdits } from '../../torture/edits/kill-bulk-edits.ts';
import { anySeed } from '../../torture/with-seed.ts';

// With more items: `npm run torture -- edits`, and `-- edits --import`.
it.each([
  ['selection', 400],
  ['spreadsheet', 100],
] as const)(
  'an edit of many items (%s) sends each value exactly once when the engine is killed, and its undo restores them',
  async (source, items) => {
    const report = await killBulkEdits({ items, kills: 2, seed: anySeed(), source }, () => {});
    expect(report).toMatchObject({ items, left: 10 });
  },
  240_000,
);
