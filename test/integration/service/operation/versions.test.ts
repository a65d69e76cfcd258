// This version and the next one on the same library.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../../../service/database/schema.ts';
import { makeNextVersion, type NextVersion } from '../../../helpers/service/next-version.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

const COLUMN = `ALTER TABLE media ADD COLUMN shelf TEXT NOT NULL DEFAULT 'none'; CREATE INDEX media_by_shelf ON media (shelf)`;
let readable: NextVersion;
let unreadable: NextVersion;
const running: ServiceProcess[] = [];
const folders: string[] = [];
beforeAll(() => {
  readable = makeNextVersion(COLUMN, true);
  unreadable = makeNextVersion(COLUMN, false);
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
afterAll(() => {
  readable.remove();
  unreadable.remove();
});

function newDataDir(): string {
  const made = mkdtempSync(join(tmpdir(), 'library-versions-'));
  folders.push(made);
  return join(made, 'data');
}

/** Starts a version on a data directory; undefined: this one. */
async function start(dataDir: string, version?: NextVersion): Promise<ServiceProcess> {
  const service = await startService({ dataDir, ...(version === undefined ? {} : { program: version.program }) });
  running.push(service);
  return service;
}

function query(dataDir: string, sql: string): Record<string, unknown> | undefined {
  const db = new DatabaseSync(join(dataDir, 'library.sqlite'), { readOnly: true });
  try {
    return db.prepare(sql).get();
  } finally {
    db.close();
  }
}

const schemaOf = (dataDir: string) => query(dataDir, 'PRAGMA user_version')?.user_version;
const copies = (dataDir: string) => readdirSync(dataDir).filter((name) => name.includes('.schema-'));

/** Writes to a library in every way that a client does, and reads what was there. Returns the new item. */
async function use(service: ServiceProcess, items: readonly string[]): Promise<string> {
  const client = await clientFor(service);
  for (const item of items) {
    expect((await client.get(item)).status).toBe(200);
    expect((await client.post(item, { byline: `Changed ${items.length}` })).status).toBe(200);
  }
  const item = await client.createItem(`Item ${items.length}`, { tags: ['kept'] });
  const file = await client.upload(item, 'a.bin', Buffer.from(`bytes ${items.length}`), { upload_type: 'blob' });
  expect(await client.processed(file)).toMatchObject({ status: 'complete' });
  return item;
}

test('after the next version has added a column, this version uses the library again, and the next one after it', async () => {
  const dataDir = newDataDir();
  const items: string[] = [];
  for (const version of [undefined, readable, undefined, readable]) {
    const service = await start(dataDir, version);
    items.push(await use(service, items));
    expect(await service.end('SIGTERM')).toBe(0);
    expect(schemaOf(dataDir)).toBe(items.length === 1 ? SCHEMA_VERSION : SCHEMA_VERSION + 1);
  }
  expect(query(dataDir, `SELECT count(*) AS n FROM media WHERE shelf = 'none'`)).toEqual({ n: 4 });
});

test('this version refuses a library whose schema it can not use, says so, and leaves it as it is', async () => {
  const dataDir = newDataDir();
  const service = await start(dataDir, unreadable);
  const item = await use(service, []);
  await service.end('SIGTERM');
  await expect(start(dataDir)).rejects.toThrow(
    new RegExp(
      `exit code 1.*schema ${SCHEMA_VERSION + 1}; this version can use ${SCHEMA_VERSION}.*Install the newer`,
      's',
    ),
  );
  expect(schemaOf(dataDir)).toBe(SCHEMA_VERSION + 1);
  await use(await start(dataDir, unreadable), [item]);
});

test('two versions never have a library at one time: the second one is refused, and changes nothing', async () => {
  const dataDir = newDataDir();
  const first = await start(dataDir);
  const item = await use(first, []);
  await expect(start(dataDir, readable)).rejects.toThrow(/exit code 1/);
  await use(first, [item]);
  await first.end('SIGTERM');
  expect(schemaOf(dataDir)).toBe(SCHEMA_VERSION);
  expect(copies(dataDir)).toEqual([]);

  const next = await start(dataDir, readable);
  await expect(start(dataDir)).rejects.toThrow(/exit code 1/);
  await use(next, [item]);
});

test('before its schema changes, a database is copied as a restored library, which this version can use', async () => {
  const dataDir = newDataDir();
  const service = await start(dataDir);
  const item = await use(service, []);
  const epoch = (await (await clientFor(service)).get(item)).headers.get('x-library-epoch');
  await service.end('SIGTERM');
  const next = await start(dataDir, unreadable);
  const late = await use(next, [item]);
  await next.end('SIGTERM');
  const [copy = ''] = copies(dataDir);
  expect(copies(dataDir)).toEqual([`library.sqlite.schema-${SCHEMA_VERSION}`]);
  if (process.platform !== 'win32') expect(statSync(join(dataDir, copy)).mode & 0o777).toBe(0o600);

  for (const ending of ['', '-wal', '-shm']) rmSync(join(dataDir, `library.sqlite${ending}`), { force: true });
  renameSync(join(dataDir, copy), join(dataDir, 'library.sqlite'));
  const again = await start(dataDir);
  const client = await clientFor(again);
  expect((await client.get(item)).body.title).toBe('Item 0');
  expect((await client.get(late)).status).toBe(404);
  expect((await client.get(item)).headers.get('x-library-epoch')).not.toBe(epoch);
});

test('a copy that can not be made stops the start before anything is changed', async () => {
  const dataDir = newDataDir();
  await (await start(dataDir)).end('SIGTERM');
  // A folder that is not empty has the name that the copy gets.
  mkdirSync(join(dataDir, `library.sqlite.schema-${SCHEMA_VERSION}`));
  writeFileSync(join(dataDir, `library.sqlite.schema-${SCHEMA_VERSION}`, 'a'), '');
  await expect(start(dataDir, readable)).rejects.toThrow(/exit code 1.*could not be copied before its upgrade/s);
  expect(schemaOf(dataDir)).toBe(SCHEMA_VERSION);
  expect(existsSync(join(dataDir, `library.sqlite.schema-${SCHEMA_VERSION}.new`))).toBe(false);
  await start(dataDir);
});
