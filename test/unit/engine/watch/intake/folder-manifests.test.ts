import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files } from '../../../../../electron/engine/ports/files.ts';
import { nodeFiles } from '../../../../../electron/engine/ports/system/node-files.ts';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { FolderManifests } from '../../../../../electron/engine/watch/intake/folder-manifests.ts';
import { WatchedFileStore } from '../../../../../electron/engine/watch/rows/file-store.ts';
import { type FolderRecord, FolderStore } from '../../../../../electron/engine/watch/rows/folder-store.ts';
import type { NewWatchedFile } from '../../../../../electron/engine/watch/rows/watched-file.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import { watchRulesSchema } from '../../../../../shared/contract/watch-rules.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { folderRecord, newWatchedFile } from '../../../../helpers/data/watched-folders.ts';
import { ManualClock } from '../../../../helpers/time/manual-clock.ts';

const RULES = watchRulesSchema.parse({
  defaults: {
    settings: { siteId: 's1', collection: { kind: 'fixed', collection: { kind: 'id', id: '1', name: 'One' } } },
  },
});
const HEADER = 'file;title;tags;collection\n';

let database: Database;
let rows: WatchedFileStore;
let folder: FolderRecord;

beforeEach(async () => {
  database = await emptyDatabase();
  const root = mkdtempSync(join(tmpdir(), 'mediadesk-manifests-'));
  folder = { ...folderRecord(RULES), root };
  new FolderStore(database).add(folder);
  rows = new WatchedFileStore(database);
});
afterEach(() => {
  database.close();
  rmSync(folder.root, { recursive: true });
});

const manifests = (changes: Partial<Files> = {}) => {
  const files: Files = { ...nodeFiles, ...changes, within: () => files };
  return new FolderManifests({ rows, files, clock: new ManualClock() });
};

/** Writes a manifest, and records it as a sweep does. */
async function put(path: string, text: string, state: NewWatchedFile['state'] = 'refused'): Promise<void> {
  const full = join(folder.root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  await note(path, state);
}

async function note(path: string, state: NewWatchedFile['state']): Promise<void> {
  const { sizeBytes, mtimeMs } = await nodeFiles.facts(join(folder.root, path));
  const known = rows.byPaths(folder.id, [path]).get(path);
  if (known !== undefined) rows.remove(known);
  rows.insert(newWatchedFile({ path, sizeBytes, mtimeMs, state }));
}

const rowOf = (path: string, from = manifests()) => from.rowOf(folder, path);

describe('the lookup of a file in the manifests of a watched folder', () => {
  it('reads a manifest again when the disk failed before', async () => {
    await put('manifest.csv', `${HEADER}a.wav;A;;\n`);
    for (const failing of ['open', 'facts'] as const) {
      let failures = 1;
      const from = manifests({
        [failing](path: string) {
          failures -= 1;
          return failures < 0 ? nodeFiles[failing](path) : Promise.reject(appError('file.too-many-open'));
        },
      });
      expect(await rowOf('a.wav', from)).toEqual({ kind: 'problem', code: 'file.too-many-open' });
      expect(await rowOf('a.wav', from)).toMatchObject({ kind: 'row', row: { fields: { title: 'A' } } });
    }
  });

  it('finds a row whose name has its accents in another form than the name on the disk', async () => {
    await put('manifest.csv', `${HEADER}Caf\u00e9.wav;A;;\nNai\u0308ve.wav;B;;\n`);
    await put('Cafe\u0301.wav', 'as a Mac stores it');
    await put('Na\u00efve.wav', 'as other systems store it');
    expect(await rowOf('Cafe\u0301.wav')).toMatchObject({ kind: 'row', row: { fields: { title: 'A' } } });
    expect(await rowOf('Na\u00efve.wav')).toMatchObject({ kind: 'row', row: { fields: { title: 'B' } } });
  });

  it('finds a row that names the file with other capitals, where the disk ignores capitals, and nowhere else', async () => {
    await put('manifest.csv', `${HEADER}DAY/Talk.WAV;A;;\nday/other.wav;B;;\n`);
    await put('day/talk.wav', 'a talk');
    await put('day/other.wav', 'another one');
    const ignoring = manifests({ facts: (path) => nodeFiles.facts(path.replace('DAY/Talk.WAV', 'day/talk.wav')) });
    expect(await rowOf('day/talk.wav', ignoring)).toMatchObject({ kind: 'row', row: { fields: { title: 'A' } } });
    expect(await rowOf('day/other.wav', ignoring)).toMatchObject({ kind: 'row', row: { fields: { title: 'B' } } });
    expect(await rowOf('day/talk.wav')).toEqual({ kind: 'none' });
    // Here the other spelling is another file.
    await put('DAY/Talk.WAV', 'another talk');
    expect(await rowOf('day/talk.wav')).toEqual({ kind: 'none' });
  });

  it('reads unusable contents only once until the file changes', async () => {
    await put('manifest.csv', 'name;title\na.wav;"open\n');
    let reads = 0;
    const open = (path: string) => {
      reads += 1;
      return nodeFiles.open(path);
    };
    const from = manifests({ open });
    expect(await rowOf('a.wav', from)).toEqual({ kind: 'problem', code: 'table.quote-open' });
    expect(await rowOf('b.wav', from)).toEqual({ kind: 'problem', code: 'table.quote-open' });
    expect(reads).toBe(1);
    await put('manifest.csv', `${HEADER}a.wav;A;;\n`);
    expect(await rowOf('a.wav', from)).toMatchObject({ kind: 'row' });
    expect(reads).toBe(2);
  });

  it('uses a manifest in the states refused and done, whose contents are final, and none in another state', async () => {
    for (const state of ['refused', 'done'] as const) {
      await put('manifest.csv', `${HEADER}a.wav;A;;\n`, state);
      expect(await rowOf('a.wav')).toMatchObject({ kind: 'row' });
    }
    for (const state of ['settling', 'incomplete', 'waiting', 'queued'] as const) {
      await note('manifest.csv', state);
      expect(await rowOf('a.wav')).toEqual({ kind: 'none' });
    }
  });

  it('uses no contents that were written since the last sweep', async () => {
    await put('manifest.csv', HEADER);
    appendFileSync(join(folder.root, 'manifest.csv'), 'a.wav;A');
    const from = manifests();
    expect(await rowOf('a.wav', from)).toEqual({ kind: 'none' });
    await note('manifest.csv', 'refused');
    expect(await rowOf('a.wav', from)).toMatchObject({ kind: 'row', row: { fields: { title: 'A' } } });
  });

  it('uses only the nearest manifest, also while it is being written', async () => {
    await put('manifest.csv', `${HEADER}sub/a.wav;Above;;\nsub/b.wav;Above;;\nother/c.wav;Above;;\n`);
    await put('sub/manifest.csv', `${HEADER}a.wav;Near;;\n`, 'settling');
    expect(await rowOf('sub/a.wav')).toEqual({ kind: 'none' });
    await note('sub/manifest.csv', 'refused');
    expect(await rowOf('sub/a.wav')).toMatchObject({ kind: 'row', row: { fields: { title: 'Near' } } });
    expect(await rowOf('sub/b.wav')).toEqual({ kind: 'none' });
    expect(await rowOf('other/c.wav')).toMatchObject({ kind: 'row', row: { fields: { title: 'Above' } } });
  });

  it('returns the tags of the cell, none for “<clear>”, and no change of the tags for an empty cell', async () => {
    await put('manifest.csv', `${HEADER}a.wav;;<clear>;\nb.wav;;light|week 7;\nc.wav;;;\n`);
    expect(await rowOf('a.wav')).toMatchObject({ kind: 'row', row: { fields: { tags: [] } } });
    expect(await rowOf('b.wav')).toMatchObject({ kind: 'row', row: { fields: { tags: ['light', 'week 7'] } } });
    expect(await rowOf('c.wav')).toMatchObject({ kind: 'row', row: { fields: {} } });
  });

  it.for([
    ['Science / Physics', { kind: 'ref', ref: 'Science / Physics' }],
    ["'@Home", { kind: 'ref', ref: '@Home' }],
    ['c:12', { kind: 'id', id: '12', name: '12' }],
    ['', null],
  ] as const)('reads the collection “%s” as an import does', async ([cell, collection]) => {
    await put('manifest.csv', `${HEADER}a.wav;A;;${cell}\n`);
    expect(await rowOf('a.wav')).toMatchObject({ kind: 'row', row: { collection } });
  });

  it.for(['Manifest.csv', 'MANIFEST.CSV'])('reads %s, too, and not beside manifest.csv', async (name) => {
    await put(name, `${HEADER}a.wav;Capitals;;\n`);
    expect(await rowOf('a.wav')).toMatchObject({ kind: 'row', row: { fields: { title: 'Capitals' } } });
    await put('manifest.csv', `${HEADER}a.wav;Small;;\n`);
    expect(await rowOf('a.wav')).toMatchObject({ kind: 'row', row: { fields: { title: 'Small' } } });
  });

  it.for([
    ['<clear>', 'manifest.cant-clear'],
    ['#REF!', 'manifest.formula-failed'],
  ] as const)('refuses the collection “%s”', async ([cell, code]) => {
    await put('manifest.csv', `${HEADER}a.wav;A;;${cell}\n`);
    expect(await rowOf('a.wav')).toEqual({ kind: 'problem', code });
  });
});
