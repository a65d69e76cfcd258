import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MirrorFolder } from '../../../../electron/engine/mirror/mirror-file.ts';
import { MirrorStore } from '../../../../electron/engine/mirror/mirror-store.ts';
import { NO_FAILPOINTS } from '../../../../electron/engine/ports/failpoints.ts';
import { mediaItemSchema } from '../../../../shared/api/media.ts';

const TRANSACTIONS = 70;
const INDEXES = ['media_fts', 'media_fields', 'title_trigram'];

async function openStore(): Promise<MirrorStore> {
  const dir = mkdtempSync(join(tmpdir(), 'mediadesk-merges-'));
  const store = new MirrorStore(await new MirrorFolder(dir, NO_FAILPOINTS).open('site'), Date.now);
  onTestFinished(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return store;
}

/** Writes items in many transactions. Returns the maximum number of segments that any index had after one of them. */
function write(store: MirrorStore, afterEach: () => void): number {
  let most = 0;
  for (let number = 0; number < TRANSACTIONS; number += 1) {
    const items = Array.from({ length: 20 }, (_, index) =>
      mediaItemSchema.parse({
        id: String(number * 20 + index),
        type: 'video',
        status: 'draft',
        collection_id: '1',
        links: {},
        title: `river ${number} ${index}`,
        description_plain: `talk ${index * number}`,
        tags: [`tag ${index}`],
        created_on: '2026-01-01T00:00:00Z',
      }),
    );
    store.putAll(items, store.moment());
    afterEach();
    most = Math.max(most, ...INDEXES.map((index) => numberOf(store, `SELECT count(DISTINCT segid) FROM ${index}_idx`)));
  }
  return most;
}

function numberOf(store: MirrorStore, sql: string): number {
  return Number(Object.values(store.database.prepare(sql).get() ?? {})[0]);
}

it('the mirror merges its indexes in small steps between transactions', async () => {
  const [stepwise, never] = [await openStore(), await openStore()];
  stepwise.merges.begin();
  never.merges.begin();
  let largestStep = 0;
  const most = write(stepwise, () => {
    let before = numberOf(stepwise, 'SELECT total_changes()');
    for (const _ of stepwise.merges.steps()) {
      const after = numberOf(stepwise, 'SELECT total_changes()');
      largestStep = Math.max(largestStep, after - before);
      before = after;
    }
  });
  // At 16 segments, FTS5 merges all of them in one step.
  expect(write(never, () => {})).toBeGreaterThanOrEqual(16);
  expect(most).toBeLessThan(12);
  // The changes of a step are the index pages that it writes and removes, and the rows that describe them. A merge by FTS5
  // itself handles at least 64 pages.
  expect(largestStep).toBeGreaterThan(2);
  expect(largestStep).toBeLessThan(64);
  stepwise.merges.end();
  for (const index of INDEXES) {
    expect(numberOf(stepwise, `SELECT v FROM ${index}_config WHERE k = 'automerge'`)).toBe(4);
    expect(numberOf(stepwise, `SELECT count(*) FROM ${index} WHERE ${index} MATCH '"riv"*'`)).toBe(TRANSACTIONS * 20);
  }
});
