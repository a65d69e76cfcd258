import { expect, it } from 'vitest';
import { uploadFromVeryMany } from '../../torture/many/very-many.ts';

it('fault 24: very many files added at once are all queued after a restart, and only the selected ones are sent', async () => {
  // 100,000 of them: `npm run torture -- many`.
  const report = await uploadFromVeryMany(5000, 50, () => {});
  expect(report.broken).toEqual([]);
  expect(report.sent).toBe(50);
}, 600_000);
