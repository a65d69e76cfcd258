// Backups of a library while its service runs, and the library that is restored from one.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { holdLibrary } from '../../../../service/archive/library-source.ts';
import { archive, sha256Of, storedFiles } from '../../../helpers/service/service-archive.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, type ServiceStart, startService } from '../../../helpers/service/service-process.ts';

const OPERATED = ['--operations', '0', '--reserve-mib', '0'];
const running: ServiceProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'library-backup-'));
  folders.push(made);
  return made;
}

async function start(options: ServiceStart = {}): Promise<ServiceProcess> {
  const service = await startService({ options: OPERATED, ...options });
  running.push(service);
  return service;
}

/** Creates an item with a file; returns what must be found again. */
async function add(client: ServiceClient, title: string, size = 20_000) {
  const bytes = randomBytes(size);
  const item = await client.createItem(title);
  const file = await client.upload(item, `${title}.bin`, bytes, { upload_type: 'blob' });
  await client.processed(file);
  return { title, item, file, sha256: sha256Of(bytes) };
}

const idOf = (path: string) => path.split('/').at(-1);

test('a backup that is made under load is whole, and the library that is restored from it has all that was confirmed before', {
  timeout: 300_000,
}, async () => {
  const [data, place] = [join(folder(), 'data'), folder()];
  const service = await start({ dataDir: data });
  const client = await clientFor(service);
  const kept = [];
  for (let index = 0; index < 10; index += 1) kept.push(await add(client, `Kept ${index}`));

  let isOver = false;
  const load = Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; !isOver; index += 1) {
        const { item } = await add(client, `Load ${writer}.${index}`);
        if (index % 2 === 0) expect((await client.delete(item)).status).toBe(204);
      }
    }),
  );
  const backups = [];
  for (const name of ['first', 'second', 'third']) {
    const made = await archive('backup', '--data', data, '--to', join(place, name));
    expect([made.code, made.record, made.stderr]).toEqual([0, expect.objectContaining({ missing: [] }), '']);
    backups.push(made.record.backup);
  }
  isOver = true;
  await load;
  for (const backup of backups) {
    const verified = await archive('verify', backup);
    expect([verified.code, verified.record]).toEqual([0, expect.objectContaining({ is_whole: true, orphan_count: 0 })]);
  }

  const restored = join(place, 'restored');
  const report = await archive('restore', '--from', backups[2], '--data', restored);
  expect([report.code, report.stderr]).toEqual([0, '']);
  const database = new DatabaseSync(join(restored, 'library.sqlite'));
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  expect(database.prepare('SELECT action, target_id FROM audit ORDER BY id DESC LIMIT 1').get()).toEqual({
    action: 'library.restore',
    target_id: report.record.epoch,
  });
  database.close();

  const again = await start({ dataDir: restored });
  const before = await client.get('/api2/media');
  const epoch = before.headers.get('x-library-epoch');
  const reader = await clientFor(again);
  for (const { title, item, file, sha256 } of kept) {
    const answer = await reader.get(item);
    expect([answer.body.title, answer.headers.get('x-library-epoch')]).toEqual([title, report.record.epoch]);
    expect(await again.control('GET', `/files/${idOf(file)}/sha256`)).toMatchObject({ sha256, status: 'complete' });
  }
  expect(report.record.epoch).not.toBe(epoch);
  expect(again.admin).toEqual(service.admin);
  // Nobody is signed in, and no address that was signed before is valid.
  const asBefore = await fetch(`${again.baseUrl}/api2/media`, {
    headers: { authorization: `Bearer ${client.tokens.access_token}` },
  });
  expect(asBefore.status).toBe(401);
  const { location } = (await client.get(`${kept[0]?.file}/content?json=1`)).body;
  expect((await fetch(`${again.baseUrl}${new URL(location).pathname}`)).status).toBe(403);
});

test('every answer of the API has the epoch, also refusals; it stays through restarts, and other pages have none', async () => {
  const service = await start({ dataDir: folder(), options: [] });
  const client = await clientFor(service);
  const epochs = async () => {
    const answers = await Promise.all([
      client.get('/api2/media'),
      client.post('/api2/media', { title: 'A', collection_id: '1' }),
      client.get('/api2/media/999'),
      client.post('/api2/collections', 'no json'),
      client.get('/api2/nothing'),
    ]);
    const refused = await fetch(`${service.baseUrl}/api2/users`);
    return [...answers, refused].map(({ headers }) => headers.get('x-library-epoch'));
  };
  const [epoch, ...others] = await epochs();
  expect(epoch).toMatch(/^[\w-]{16}$/);
  expect(new Set(others)).toEqual(new Set([epoch]));
  await service.restart();
  expect(new Set(await epochs())).toEqual(new Set([epoch]));
  expect((await fetch(`${service.baseUrl}/browse/x`)).headers.get('x-library-epoch')).toBe(null);
});

test('a service without --operations makes no backup while it runs; a stopped one needs no service', async () => {
  const [data, place] = [join(folder(), 'data'), folder()];
  const service = await start({ dataDir: data, options: [] });
  await add(await clientFor(service), 'Kept');
  const refused = await archive('backup', '--data', data, '--to', join(place, 'b'));
  expect([refused.code, refused.record.error.code]).toEqual([1, 'backup.no-operations']);
  await service.end('SIGTERM');
  const made = await archive('backup', '--data', data, '--to', join(place, 'b'));
  expect([made.code, made.record.files]).toEqual([0, 1]);
  expect((await archive('verify', join(place, 'b'))).code).toBe(0);
});

test('a killed service is recovered into the backup, with every confirmed write', async () => {
  const [data, place] = [join(folder(), 'data'), folder()];
  const service = await start({ dataDir: data });
  const { item } = await add(await clientFor(service), 'Kept');
  await service.kill9();
  expect((await archive('backup', '--data', data, '--to', join(place, 'b'))).code).toBe(0);
  expect((await archive('restore', '--from', join(place, 'b'), '--data', join(place, 'r'))).code).toBe(0);
  const again = await clientFor(await start({ dataDir: join(place, 'r') }));
  expect((await again.get(item)).body.title).toBe('Kept');
});

test('files are hard links where that is possible, copies with --copy, and both are private', async () => {
  const [data, place] = [join(folder(), 'data'), folder()];
  const service = await start({ dataDir: data });
  const client = await clientFor(service);
  const { item, sha256 } = await add(client, 'Kept');
  const linked = await archive('backup', '--data', data, '--to', join(place, 'linked'));
  const copied = await archive('backup', '--data', data, '--to', join(place, 'copied'), '--copy');
  expect([linked.record.linked, copied.record.linked]).toEqual([1, 0]);
  await client.delete(item);
  for (const name of ['linked', 'copied']) {
    const [path = ''] = storedFiles(join(place, name)).values();
    expect(sha256Of(readFileSync(path))).toBe(sha256);
    for (const file of [path, join(place, name, 'library.sqlite'), join(place, name, 'manifest.jsonl')]) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(statSync(join(place, name)).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(place, name)).sort()).toEqual(['admin.json', 'library.sqlite', 'manifest.jsonl', 'stored']);
  }
});

/** Asks the running service to hold its files, as the command does. */
async function hold(service: ServiceProcess) {
  const token = JSON.parse(readFileSync(join(service.dataDir, 'keys.json'), 'utf8')).control_token;
  const ending = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const ask = (signal?: AbortSignal) =>
    fetch(`${service.operationsUrl}/snapshot`, { method: 'POST', headers, signal: signal ?? null });
  const held = await ask(ending.signal);
  const reader = held.body?.getReader();
  let text = '';
  while (!text.includes('"held"')) text += new TextDecoder().decode((await reader?.read())?.value);
  return { ask, end: () => ending.abort() };
}

test('while a backup is made, deleted files stay; they are deleted when it has ended', async () => {
  const service = await start({ dataDir: folder() });
  const client = await clientFor(service);
  const { item } = await add(client, 'Deleted');
  const [path = ''] = storedFiles(service.dataDir).values();
  const { ask, end } = await hold(service);
  expect((await client.delete(item)).status).toBe(204);
  expect((await client.get(item)).status).toBe(404);
  expect(existsSync(path)).toBe(true);
  expect((await ask()).status).toBe(409);
  end();
  await expect.poll(() => existsSync(path), { timeout: 20_000 }).toBe(false);
  await expect.poll(() => readdirSync(join(service.dataDir, 'incoming')), { timeout: 20_000 }).toEqual([]);
});

test('files that were deleted while a killed service held them are deleted at its next start', async () => {
  const service = await start({ dataDir: folder() });
  const client = await clientFor(service);
  const { item } = await add(client, 'Deleted');
  const { end } = await hold(service);
  await client.delete(item);
  expect(storedFiles(service.dataDir).size).toBe(1);
  await service.kill9();
  end();
  await service.restart();
  expect(storedFiles(service.dataDir).size).toBe(0);
});

test.each([undefined, 'Bearer ', 'Bearer wrong', 'Basic x'])(
  'a copy of the database is refused with %j',
  async (authorization) => {
    const service = await start();
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    expect((await fetch(`${service.operationsUrl}/snapshot`, { method: 'POST', headers })).status).toBe(401);
    expect((await fetch(`${service.operationsUrl}/snapshot`)).status).toBe(404);
  },
);

test('a service that ends during a backup is noticed, whether it is stopped or killed', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const service = await start({ dataDir: folder() });
    const held = await holdLibrary(service.dataDir, join(folder(), 'copy.sqlite'));
    held.check();
    if (signal === 'SIGTERM') expect(await service.end('SIGTERM')).toBe(0);
    else await service.kill9();
    await expect
      .poll(() => {
        try {
          held.check();
          return 'held';
        } catch (error) {
          return (error as { code: string }).code;
        }
      })
      .toBe('backup.service-ended');
    await held.release();
  }
});

test('a backup that is killed at any moment is never under its name, and is recognized beside it', {
  timeout: 120_000,
}, async () => {
  const [data, place] = [join(folder(), 'data'), folder()];
  const service = await start({ dataDir: data });
  const client = await clientFor(service);
  for (let index = 0; index < 5; index += 1) await add(client, `Large ${index}`, 8_000_000);
  const main = fileURLToPath(new URL('../../../../service/main.ts', import.meta.url));
  let interrupted = 0;
  for (let round = 0; round < 8; round += 1) {
    // In the first round the service does not answer, so that the command can't end before it is killed.
    if (round === 0) service.signal('SIGSTOP');
    const to = join(place, `b${round}`);
    const child = spawn(process.execPath, [main, 'backup', '--data', data, '--to', to, '--copy'], { stdio: 'ignore' });
    const exit = once(child, 'exit');
    // Killed when so many entries of the backup are there.
    const seen = () => (existsSync(`${to}.partial`) ? 1 + readdirSync(`${to}.partial`).length : 0);
    await expect.poll(() => seen() > round % 4 || child.exitCode !== null, { timeout: 30_000, interval: 1 }).toBe(true);
    child.kill('SIGKILL');
    await exit;
    service.signal('SIGCONT');
    if (existsSync(to)) {
      expect((await archive('verify', to)).code).toBe(0);
      continue;
    }
    interrupted += 1;
    const verified = await archive('verify', `${to}.partial`);
    const code = verified.record.problems[0].code;
    // After the manifest only the new name is missing.
    expect([1, 0]).toContain(verified.code);
    if (verified.code === 1) expect(['backup.incomplete', 'manifest.invalid']).toContain(code);
    const next = await archive('backup', '--data', data, '--to', to);
    expect([next.code, next.record.error.code]).toEqual([1, 'backup.interrupted-before']);
  }
  expect(interrupted).toBeGreaterThan(0);
  const made = await archive('backup', '--data', data, '--to', join(place, 'last'));
  expect([made.code, made.record.files]).toEqual([0, 5]);
});

test('a backup reports files that the library lacks, and is restored only with --accept-missing', async () => {
  const [data, place] = [join(folder(), 'data'), folder()];
  const service = await start({ dataDir: data });
  const client = await clientFor(service);
  const [gone, kept] = [await add(client, 'Gone'), await add(client, 'Kept')];
  const hashes = [...storedFiles(data)].map(([name, path]) => ({ name, path, sha256: sha256Of(readFileSync(path)) }));
  const lost = hashes.find(({ sha256 }) => sha256 === gone.sha256);
  rmSync(lost?.path ?? '');
  const backup = join(place, 'b');
  const made = await archive('backup', '--data', data, '--to', backup);
  expect([made.code, made.record.missing]).toEqual([1, [lost?.name]]);
  const verified = await archive('verify', backup);
  expect([verified.code, verified.record.problems]).toEqual([
    1,
    [{ code: 'file.missing-since-backup', name: lost?.name }],
  ]);
  expect((await archive('restore', '--from', backup, '--data', join(place, 'r'))).code).toBe(1);
  expect(existsSync(join(place, 'r'))).toBe(false);
  expect((await archive('restore', '--from', backup, '--data', join(place, 'r'), '--accept-missing')).code).toBe(0);
  const again = await start({ dataDir: join(place, 'r') });
  expect(await again.control('GET', `/files/${idOf(kept.file)}/sha256`)).toMatchObject({ sha256: kept.sha256 });
});

test('a backup is refused inside the data folder, over something that is there, and of a folder without a library', async () => {
  const [data, place] = [join(folder(), 'data'), folder()];
  const service = await start({ dataDir: data });
  const code = async (from: string, to: string) =>
    (await archive('backup', '--data', from, '--to', to)).record.error.code;
  expect(await code(data, join(data, 'stored', 'b'))).toBe('backup.inside-data');
  symlinkSync(join(data, 'stored'), join(place, 'link'));
  symlinkSync(data, join(place, 'data'));
  expect(await code(data, join(place, 'link', 'b'))).toBe('backup.inside-data');
  expect(await code(join(place, 'data'), join(data, 'b'))).toBe('backup.inside-data');
  rmSync(join(place, 'link'));
  rmSync(join(place, 'data'));
  expect(await code(data, place)).toBe('backup.exists');
  expect(await code(folder(), join(place, 'b'))).toBe('backup.no-library');
  const absent = await archive('backup', '--data', data, '--to', join(place, 'none', 'b'));
  expect(absent.record.error.code).toBe('folder.no-parent');
  expect(absent.record.error.message).toContain(`${join(place, 'none')} does not exist. Create it`);
  expect(readdirSync(place)).toEqual([]);
  expect(service.log()).not.toContain('error');
});
