import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MirrorFolder } from '../../../../electron/engine/mirror/mirror-file.ts';
import { apiInstantOf } from '../../../../electron/engine/mirror/mirror-rows.ts';
import { MirrorStore } from '../../../../electron/engine/mirror/mirror-store.ts';
import { type CreatedRange, SyncRows } from '../../../../electron/engine/mirror/sync/sync-rows.ts';
import { NO_FAILPOINTS } from '../../../../electron/engine/ports/failpoints.ts';
import { mediaItemSchema } from '../../../../shared/api/media.ts';

const SECONDS = 40;
const items = fc.array(
  fc.record({
    created: fc.option(fc.nat(SECONDS), { nil: null, freq: 5 }),
    absence: fc.constantFrom('listed', 'listed', 'hidden', 'gone'),
  }),
  { maxLength: 30 },
);
const limit = fc.option(fc.nat(SECONDS), { nil: null });

it('a range of creation times has its listed items (without a start also undated ones), and is divided into smaller ones', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mediadesk-sync-rows-'));
  let files = 0;
  let divided = 0;
  try {
    await fc.assert(
      fc.asyncProperty(items, limit, limit, async (made, from, before) => {
        const store = new MirrorStore(await new MirrorFolder(dir, NO_FAILPOINTS).open(`site-${files++}`), Date.now);
        const rows = new SyncRows(store.database);
        const known = made.map(({ created, absence }, index) => ({ id: String(index), created, absence }));
        for (const { id, created, absence } of known) {
          const created_on = created === null ? null : apiInstantOf(created);
          const item = { id, type: 'video', status: 'draft', collection_id: '1', title: id, created_on, links: {} };
          store.putNow(mediaItemSchema.parse(item));
          if (absence === 'gone') store.setOverlay(id, { title: 'mine' });
          if (absence !== 'listed') store.vanishAll([id]);
        }
        const isIn = (range: CreatedRange) =>
          known.filter(({ created, absence }) => {
            if (absence !== 'listed') return false;
            if (created === null) return range.from === null;
            return created >= (range.from ?? 0) && created < (range.before ?? SECONDS + 1);
          });
        const range = { from, before };
        const expected = isIn(range).map(({ id }) => id);
        expect(rows.count(range)).toBe(expected.length);
        expect(rows.ids(range).sort()).toEqual(expected.sort());
        const hidden = known.filter(({ absence }) => absence === 'hidden').map(({ id }) => id);
        expect([rows.hiddenCount(), rows.hiddenIds().sort()]).toEqual([hidden.length, hidden.sort()]);
        expect(rows.orphanIds()).toEqual([]);
        // Both parts have fewer items than the whole, so a search by halving ends, and neither is requested in vain.
        const boundary = rows.boundaryIn(range, expected.length);
        if (boundary !== null) {
          divided += 1;
          const [older, newer] = [isIn({ from, before: boundary }).length, isIn({ from: boundary, before }).length];
          expect(older + newer).toBe(expected.length);
          expect(Math.min(older, newer)).toBeGreaterThan(0);
        }
        store.close();
      }),
      { numRuns: 100 },
    );
    // 9 to 21 in most runs.
    expect(divided).toBeGreaterThan(0);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
