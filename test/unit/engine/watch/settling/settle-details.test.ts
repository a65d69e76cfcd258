import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OpenFile } from '../../../../../electron/engine/ports/files.ts';
import { nodeFiles } from '../../../../../electron/engine/ports/system/node-files.ts';
import type { FolderRecord } from '../../../../../electron/engine/watch/rows/folder-store.ts';
import type { WatchedFile } from '../../../../../electron/engine/watch/rows/watched-file.ts';
import { settleDetails } from '../../../../../electron/engine/watch/settling/settle-details.ts';
import { watchRulesSchema } from '../../../../../shared/contract/watch-rules.ts';
import { folderRecord, newWatchedFile } from '../../../../helpers/data/watched-folders.ts';
import { ManualClock } from '../../../../helpers/time/manual-clock.ts';

const RULES = watchRulesSchema.parse({
  defaults: {
    settings: { siteId: 's1', collection: { kind: 'fixed', collection: { kind: 'id', id: '1', name: 'One' } } },
  },
});

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mediadesk-details-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const folder = (): FolderRecord => ({ ...folderRecord(RULES), root });

/** Settles a file; `beforeRead` runs before its first read. Returns the row of the file after that. */
async function settle(name: string, contents: string, beforeRead: (path: string) => void = () => {}) {
  const path = join(root, name);
  writeFileSync(path, contents);
  const file = await nodeFiles.open(path);
  const facts = await file.facts();
  let isRead = false;
  const watched: OpenFile = {
    path: file.path,
    facts: () => file.facts(),
    close: () => file.close(),
    read: (...given) => {
      if (!isRead) beforeRead(path);
      isRead = true;
      return file.read(...given);
    },
  };
  const { sizeBytes, mtimeMs } = facts;
  const row: WatchedFile = { seq: 1, ...newWatchedFile({ path: name, sizeBytes, mtimeMs, number: 1 }) };
  try {
    const clock = new ManualClock();
    return await settleDetails({ row, facts, file: watched, folder: folder() }, { clock });
  } finally {
    await file.close();
  }
}

it('a details file has its fields stored in its row', async () => {
  expect(await settle('talk.json', '{"title":"Polarization"}')).toMatchObject({
    state: 'attached',
    described: { title: 'Polarization' },
  });
});

it('a details file that changes while it is read is not used', async () => {
  const grown = await settle('talk.txt', 'Polar', (path) => appendFileSync(path, 'ization'));
  expect(grown).toMatchObject({ state: 'settling', described: null });
  expect(grown.dueAt).not.toBeNull();
});

it('a details file that is too large is not read', async () => {
  let reads = 0;
  const row = await settle('talk.txt', 'x'.repeat(64 * 1024 + 1), () => (reads += 1));
  expect([row.state, row.reason?.code, reads]).toEqual(['refused', 'details.too-large', 0]);
});
