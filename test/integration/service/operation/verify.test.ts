// Backups that were damaged, or made to harm: what the check finds, and what a restore refuses.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  admitDatabase,
  archive,
  editManifest,
  sha256Of,
  storedFiles,
} from '../../../helpers/service/service-archive.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { startService } from '../../../helpers/service/service-process.ts';

const root = mkdtempSync(join(tmpdir(), 'library-verify-'));
const whole = join(root, 'whole');
let backup = '';
let round = 0;

beforeAll(async () => {
  const data = join(root, 'data');
  const service = await startService({ dataDir: data, options: ['--operations', '0'] });
  const client = await clientFor(service);
  for (const name of ['a', 'b', 'c']) {
    const item = await client.createItem(name);
    await client.processed(await client.upload(item, `${name}.bin`, randomBytes(5000), { upload_type: 'blob' }));
  }
  expect((await archive('backup', '--data', data, '--to', whole, '--copy')).code).toBe(0);
  await service.stop();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  round += 1;
  backup = join(root, `backup-${round}`);
  cpSync(whole, backup, { recursive: true });
});

const aFile = () => [...storedFiles(backup)][0] ?? ['', ''];

/** Replaces the database by another one that the manifest names. */
function withDatabase(change: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(backup, 'library.sqlite'));
  change(db);
  db.close();
  admitDatabase(backup);
}

/** Puts a foreign path in place of a name in the manifest and in the database. */
function rename(to: string): void {
  const [name] = aFile();
  withDatabase((db) => db.prepare('UPDATE files SET stored_name = ? WHERE stored_name = ?').run(to, name));
  editManifest(backup, (lines) => lines.map((line) => (line.name === name ? { ...line, name: to } : line)));
}

const DAMAGES: [string, string, () => void][] = [
  ['a file that is gone', 'file.missing', () => rmSync(aFile()[1])],
  [
    'one changed bit',
    'file.sha256',
    () => {
      const bytes = readFileSync(aFile()[1]);
      bytes[100] = (bytes[100] ?? 0) ^ 1;
      writeFileSync(aFile()[1], bytes);
    },
  ],
  ['a shorter file', 'file.size', () => truncateSync(aFile()[1], 4999)],
  ['a longer file', 'file.size', () => appendFileSync(aFile()[1], 'x')],
  [
    'a link in place of a file, even to the same bytes',
    'file.missing',
    () => {
      const path = aFile()[1];
      renameSync(path, join(root, `moved-${round}`));
      symlinkSync(join(root, `moved-${round}`), path);
    },
  ],
  [
    'a pipe in place of a file',
    'file.missing',
    () => {
      const path = aFile()[1];
      rmSync(path);
      execFileSync('mkfifo', [path]);
    },
  ],
  [
    'a link in place of a folder of files',
    'file.missing',
    () => {
      const path = dirname(aFile()[1]);
      renameSync(path, join(root, `folder-${round}`));
      symlinkSync(join(root, `folder-${round}`), path);
    },
  ],
  [
    'a link in place of the folder of all files',
    'file.missing',
    () => {
      renameSync(join(backup, 'stored'), join(root, `stored-${round}`));
      symlinkSync(join(root, `stored-${round}`), join(backup, 'stored'));
    },
  ],
  [
    'a link in place of the database',
    'database.missing',
    () => {
      renameSync(join(backup, 'library.sqlite'), join(root, `database-${round}`));
      symlinkSync(join(root, `database-${round}`), join(backup, 'library.sqlite'));
    },
  ],
  ['a changed database', 'database.changed', () => appendFileSync(join(backup, 'library.sqlite'), 'x')],
  [
    'a log beside the database that has other rows',
    'database.journal',
    () => {
      const file = join(backup, 'library.sqlite');
      const other = join(root, `other-${round}.sqlite`);
      cpSync(file, other);
      const db = new DatabaseSync(other);
      db.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; UPDATE files SET size = size + 1');
      cpSync(`${other}-wal`, `${file}-wal`);
      db.close();
    },
  ],
  [
    'a journal beside the database',
    'database.journal',
    () => writeFileSync(join(backup, 'library.sqlite-journal'), ''),
  ],
  [
    'a database that is written with a log',
    'database.journal',
    () => withDatabase((db) => db.exec('PRAGMA journal_mode = WAL')),
  ],
  ['another password of the administrator', 'admin.changed', () => writeFileSync(join(backup, 'admin.json'), '{}')],
  ['no manifest', 'backup.incomplete', () => rmSync(join(backup, 'manifest.jsonl'))],
  ['a manifest without its last line', 'manifest.invalid', () => editManifest(backup, (lines) => lines.slice(0, -1))],
  [
    'a manifest that was cut within a line',
    'manifest.invalid',
    () => {
      const file = join(backup, 'manifest.jsonl');
      truncateSync(file, readFileSync(file).length - 5);
    },
  ],
  [
    'a manifest without one of its files',
    'manifest.invalid',
    () => editManifest(backup, ([head, , ...rest]) => [head, ...rest]),
  ],
  [
    'a file twice in the manifest',
    'manifest.invalid',
    () => editManifest(backup, ([head, file, ...rest]) => [head, file, file, ...rest]),
  ],
  [
    'an endless line in the manifest',
    'manifest.invalid',
    () => writeFileSync(join(backup, 'manifest.jsonl'), 'x'.repeat(20_000_000)),
  ],
  ['a path out of the backup in the manifest', 'manifest.invalid', () => rename('../../../../etc/passwd')],
  ['an absolute path in the manifest', 'manifest.invalid', () => rename('/etc/passwd')],
  [
    'a row whose size is another one',
    'file.row-size',
    () => withDatabase((db) => void db.exec('UPDATE files SET size = size + 1 WHERE id = 1')),
  ],
  [
    'a row with a file that the manifest lacks',
    'file.not-in-manifest',
    () => withDatabase((db) => db.prepare('UPDATE files SET stored_name = ? WHERE id = 1').run('f'.repeat(32))),
  ],
  ['a newer schema', 'database.newer', () => withDatabase((db) => db.exec('PRAGMA user_version = 9999'))],
  [
    'a trigger in the database',
    'database.schema',
    () => withDatabase((db) => db.exec('CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM users; END')),
  ],
  [
    'an endless view in place of a table',
    'database.schema',
    () =>
      withDatabase((db) => {
        db.exec('PRAGMA foreign_keys = OFF; DROP TABLE files');
        db.exec(`CREATE VIEW files AS WITH RECURSIVE n(stored_name, size) AS
          (SELECT hex(randomblob(16)), 1 UNION ALL SELECT hex(randomblob(16)), 1 FROM n) SELECT * FROM n`);
      }),
  ],
  [
    'a table of another kind',
    'database.schema',
    () => withDatabase((db) => db.exec('ALTER TABLE files ADD COLUMN extra TEXT')),
  ],
  [
    'a file that is no database',
    'database.damaged',
    () => {
      writeFileSync(join(backup, 'library.sqlite'), randomBytes(8192));
      admitDatabase(backup);
    },
  ],
  [
    'a damaged page of the database',
    'database.damaged',
    () => {
      const file = join(backup, 'library.sqlite');
      const bytes = readFileSync(file);
      bytes.fill(0xff, bytes.length - 4096 * 20, bytes.length - 4096);
      writeFileSync(file, bytes);
      admitDatabase(backup);
    },
  ],
];

describe('a backup with', () => {
  test.each(DAMAGES)('%s is not whole (%s), and nothing is restored from it', async (_what, code, damage) => {
    damage();
    const { code: exit, record } = await archive('verify', backup);
    expect([exit, record.is_whole]).toEqual([1, false]);
    expect(record.problems.map((problem: { code: string }) => problem.code)).toContain(code);
    expect(existsSync(join(backup, 'library.sqlite-shm'))).toBe(false);
    const data = join(root, `restored-${round}`);
    const refused = await archive('restore', '--from', backup, '--data', data, '--accept-missing');
    expect([refused.code, existsSync(data)]).toEqual([1, false]);
  });
});

test('a whole backup passes, and so does one that was moved and one that nothing can be written to', async () => {
  const moved = join(root, 'moved');
  renameSync(backup, moved);
  const hashes = () =>
    [...storedFiles(moved).values(), join(moved, 'library.sqlite')].map((path) => sha256Of(readFileSync(path)));
  const before = hashes();
  const { code, record } = await archive('verify', moved);
  expect([code, record]).toEqual([0, expect.objectContaining({ is_whole: true, files: 3, problem_count: 0 })]);
  expect(hashes()).toEqual(before);
  expect(readdirSync(moved).sort()).toEqual(['admin.json', 'library.sqlite', 'manifest.jsonl', 'stored']);
});

test('files that no row names are listed, do no harm, and are not restored', async () => {
  const name = 'ab'.repeat(16);
  writeFileSync(join(backup, 'stored', 'ab', name), 'orphan');
  symlinkSync('/etc/passwd', join(backup, 'stored', 'ab', 'link'));
  const { code, record } = await archive('verify', backup);
  expect([code, record.orphan_count]).toEqual([0, 2]);
  expect(record.orphans.sort()).toEqual([`ab/${name}`, 'ab/link']);
  const data = join(root, `restored-${round}`);
  expect((await archive('restore', '--from', backup, '--data', data)).code).toBe(0);
  expect(storedFiles(data).size).toBe(3);
});

test('a link to a backup is not a backup', async () => {
  symlinkSync(backup, join(root, 'link'));
  const { code, record } = await archive('verify', join(root, 'link'));
  expect([code, record.problems]).toEqual([1, [{ code: 'backup.incomplete' }]]);
});

test('a restore takes an empty folder, and no other one', async () => {
  const [empty, full, file] = [join(root, 'empty'), join(root, 'full'), join(root, 'file')];
  mkdirSync(empty);
  mkdirSync(full);
  writeFileSync(join(full, 'kept'), 'kept');
  writeFileSync(file, '');
  symlinkSync(empty, join(root, 'to-empty'));
  for (const data of [full, file, join(root, 'to-empty')]) {
    const { code, record } = await archive('restore', '--from', backup, '--data', data);
    expect([code, record.error.code]).toEqual([1, 'restore.not-empty']);
  }
  expect(readdirSync(full)).toEqual(['kept']);
  expect(readdirSync(empty)).toEqual([]);
  expect((await archive('restore', '--from', backup, '--data', empty)).code).toBe(0);
  expect((await archive('restore', '--from', backup, '--data', empty)).record.error.code).toBe('restore.not-empty');
});

test('no service starts on a folder into which a backup was restored only in part', async () => {
  const data = join(root, 'unfinished');
  expect((await archive('restore', '--from', backup, '--data', data)).code).toBe(0);
  writeFileSync(join(data, 'restore-unfinished'), '');
  await expect(startService({ dataDir: data })).rejects.toThrow('not to the end');
  expect(storedFiles(data).size).toBe(3);
  rmSync(join(data, 'restore-unfinished'));
  await (await startService({ dataDir: data })).stop();
});

test.each([
  ['backup', ['--data', 'x']],
  ['backup', ['--data', 'x', '--to', 'y', 'z']],
  ['verify', []],
  ['verify', ['a', 'b']],
  ['restore', ['--from', 'x']],
  ['restore', ['--from', 'x', '--data', 'y', '--force']],
])('%s with %j is wrong usage (exit code 2)', async (verb, args) => {
  const { code, stderr } = await archive(verb, ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${verb} `)]);
});

test('a restored library notifies no webhook: it has neither its address nor the notifications that waited', async () => {
  withDatabase((db) => {
    const settings = JSON.stringify({ webhook_url: 'https://receiver.example/', podcast_feeds: true });
    db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('settings', ?)").run(settings);
    db.exec("INSERT INTO webhook_deliveries (body, due_at) VALUES ('{}', 0)");
  });
  const data = join(root, `restored-${round}`);
  expect((await archive('restore', '--from', backup, '--data', data)).code).toBe(0);
  const db = new DatabaseSync(join(data, 'library.sqlite'));
  expect(db.prepare('SELECT * FROM webhook_deliveries').all()).toEqual([]);
  const stored = db.prepare("SELECT value FROM meta WHERE key = 'settings'").get()?.value;
  expect(JSON.parse(String(stored))).toEqual({ webhook_url: null, podcast_feeds: true });
  db.close();
});

test('a restored library has no claims of workers, and no names of what they had made', async () => {
  withDatabase((db) => {
    db.exec(`INSERT INTO processing_claims (id, file_id, worker, until_at) SELECT 'c', id, 'w', 0 FROM files LIMIT 1`);
    db.exec(`INSERT INTO processing_products (name, claim) VALUES ('${'0'.repeat(32)}', 'c')`);
    db.exec(`INSERT INTO processing_lost (claim, file_id) SELECT 'd', id FROM files LIMIT 1`);
  });
  const data = join(root, `restored-${round}`);
  expect((await archive('restore', '--from', backup, '--data', data)).code).toBe(0);
  const db = new DatabaseSync(join(data, 'library.sqlite'));
  for (const table of ['processing_claims', 'processing_products', 'processing_lost']) {
    expect(db.prepare(`SELECT * FROM ${table}`).all()).toEqual([]);
  }
  db.close();
});

test.skipIf(!existsSync('/dev/full'))('a report that can not be written ends with 1, also for a whole backup', () => {
  const main = fileURLToPath(new URL('../../../../service/main.ts', import.meta.url));
  const full = openSync('/dev/full', 'w');
  const runs = [['--json'], []].map((more) =>
    spawnSync(process.execPath, [main, 'verify', backup, ...more], { stdio: ['ignore', full, 'pipe'] }),
  );
  closeSync(full);
  expect(runs.map(({ status }) => status)).toEqual([1, 1]);
  for (const { stderr } of runs) expect(String(stderr)).toMatch(/^The output could not be written: .*ENOSPC/);
});
