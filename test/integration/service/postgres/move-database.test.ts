// Libraries that move between a database in their data directory and one on a server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { movedTables } from '../../../../service/database/move/tables.ts';
import {
  ask,
  connectTo,
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from '../../../helpers/service/postgres.ts';
import { clientFor, clientWith, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { png } from '../../../helpers/service/service-samples.ts';
import { programPath } from '../../../helpers/system/programs.ts';

const MAIN = programPath(new URL('../../../../service/main.ts', import.meta.url));
const LISTS = [
  ...['/api2/media?sort=title', '/api2/media?search=lecture', '/api2/media?sort=popularity'],
  ...['/api2/collections', '/api2/users', '/api2/groups', '/api2/roles', '/api2/tags'],
];

/** What the command prints, and its exit code. */
interface Answer {
  code: number | null;
  rows?: number;
  copied?: number;
  error?: { code: string; message: string };
}

describe.skipIf(postgresPrograms() === undefined)('a library whose database moves', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.stop());

  /** A library with the demo content and a file, whose service has ended. */
  async function library() {
    const dataDir = mkdtempSync(join(tmpdir(), 'library-moves-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const address = await server.create();
    const config = join(dataDir, 'config.json');
    writeFileSync(join(dataDir, 'url'), address);
    writeFileSync(config, JSON.stringify({ database: { url_file: join(dataDir, 'url') } }));
    return { dataDir, address, config };
  }

  function begin(dataDir: string, ...args: string[]) {
    const child = spawn(process.execPath, [MAIN, 'move-database', '--data', dataDir, ...args, '--json']);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const ended: Promise<Answer> = once(child, 'close').then(([code]) => {
      if (code === null) return { code };
      if (output === '') throw new Error(errors);
      return { ...(JSON.parse(output) as Omit<Answer, 'code'>), code: code as number };
    });
    return { child, ended };
  }
  const move = (dataDir: string, ...args: string[]) => begin(dataDir, ...args).ended;

  const start = async (options: Parameters<typeof startService>[0]) => {
    const service = await startService({ seed: 'demo', ...options });
    onTestFinished(() => service.stop());
    return service;
  };

  /** What clients see. */
  async function seen(client: ServiceClient): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (const path of LISTS) {
      const { status, body } = await client.get(path);
      expect(status, path).toBe(200);
      expect(body.data ?? body, path).not.toEqual([]);
      answers.push(body);
    }
    return answers;
  }

  async function contentOf(address: string): Promise<Buffer> {
    const response = await fetch(address);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  test('is the same for its clients in PostgreSQL and back in its data directory', async () => {
    const { dataDir, config, address } = await library();
    let service: ServiceProcess = await start({ dataDir });
    const port = Number(new URL(service.baseUrl).port);
    const first = await clientFor(service);
    const picture = png(64, 48);
    const item = await first.createItem('Prüfung of the lecture', { tags: ['Moving', 'großes'] });
    const file = await first.upload(item, 'a.png', picture);
    await first.processed(file);
    const deleted = await first.createItem('To be deleted');
    await first.delete(deleted);
    const { location } = (await first.get(`${file}/content?json`)).body;
    expect(await contentOf(location)).toEqual(picture);
    const before = await seen(first);
    expect(await move(dataDir, '--to', config)).toMatchObject({ code: 1, error: { code: 'move.in-use' } });
    await service.stop();

    expect(await move(dataDir, '--to', config)).toMatchObject({ code: 0, state: 'moved' });
    expect(await tablesIn(address)).toEqual(
      Object.fromEntries(movedTables().map(({ name, columns }) => [name, columns.map((each) => each.name).sort()])),
    );
    await expect(startService({ dataDir, seed: 'demo' })).rejects.toThrow('to a database on a server');
    service = await start({ dataDir, config, port });
    const second = clientWith(service, first.tokens);
    expect(await seen(second)).toEqual(before);
    expect(await contentOf(location)).toEqual(picture);
    expect(idOf(await second.createItem('New'))).toBe(idOf(deleted) + 1);
    await clientFor(service);
    const meanwhile = await seen(second);
    expect(await move(dataDir, '--from', config)).toMatchObject({ code: 1, error: { code: 'move.in-use' } });
    await service.stop();

    expect(await move(dataDir, '--to', config)).toMatchObject({ code: 1, error: { code: 'move.no-library' } });
    expect(await move(dataDir, '--from', config)).toMatchObject({ code: 0, state: 'moved' });
    await expect(startService({ dataDir, config, seed: 'demo' })).rejects.toThrow('was moved from this database');
    service = await start({ dataDir, port });
    const third = clientWith(service, first.tokens);
    expect(await seen(third)).toEqual(meanwhile);
    expect(await contentOf(location)).toEqual(picture);
    expect(idOf(await third.createItem('Newer'))).toBe(idOf(deleted) + 2);
    await service.stop();
    expect(await move(dataDir, '--to', config)).toMatchObject({ code: 1, error: { code: 'move.target-used' } });
  }, 180_000);

  test('takes the key of signed addresses along, and brings it back from a database that processes share', async () => {
    const { dataDir, config, address } = await library();
    const service = await start({ dataDir });
    await service.stop();
    const keys = () => JSON.parse(readFileSync(join(dataDir, 'keys.json'), 'utf8'));
    const { signing_key, control_token } = keys();
    await move(dataDir, '--to', config);
    expect(await ask(address, `SELECT value FROM meta WHERE key = 'signing_key'`)).toEqual([{ value: signing_key }]);
    writeFileSync(join(dataDir, 'keys.json'), JSON.stringify({ signing_key: 'AAAA', control_token }));
    const storage = {
      kind: 's3',
      endpoint: 'http://127.0.0.1:1',
      bucket: 'library',
      access_key: 'a',
      secret_key_file: join(dataDir, 'url'),
    };
    writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), storage }));
    expect(await move(dataDir, '--from', config)).toMatchObject({ code: 0 });
    expect(keys()).toEqual({ signing_key, control_token });
  }, 120_000);

  /** Moves a library, and kills the command when it comes to the rows of a table. */
  async function interrupted(table: string) {
    const made = await library();
    const service = await start({ dataDir: made.dataDir });
    await service.stop();
    // This makes the tables of the target.
    expect(await move(made.dataDir, '--from', made.config)).toMatchObject({ error: { code: 'move.no-library' } });
    const client = await connectTo(made.address);
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const { child, ended } = begin(made.dataDir, '--to', made.config);
    const waits = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
    while ((await client.query(waits)).rowCount === 0) expect(child.exitCode).toBeNull();
    child.kill('SIGKILL');
    expect(await ended).toEqual({ code: null });
    await client.query('ROLLBACK');
    const others = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND backend_type = 'client backend'`;
    while ((await client.query(others)).rowCount !== 0) await new Promise((resolve) => setImmediate(resolve));
    await client.end();
    return made;
  }

  test('is not served from a database that it is not moved to the end, and goes on where a killed move stopped', async () => {
    const { dataDir, config, address } = await interrupted('files');
    await expect(startService({ dataDir, config, seed: 'demo' })).rejects.toThrow('not to the end');
    const [row] = await ask<{ value: string }>(address, `SELECT value FROM meta WHERE key = 'move'`);
    const mark = JSON.parse(row?.value ?? '');
    expect(mark).toMatchObject({ state: 'copying' });
    expect(mark.step).toBeGreaterThan(3);
    const report = await move(dataDir, '--to', config);
    expect(report).toMatchObject({ code: 0, state: 'moved' });
    expect(report.copied).toBeLessThan(report.rows ?? 0);
    const service = await start({ dataDir, config });
    expect((await seen(await clientFor(service))).length).toBe(LISTS.length);
  }, 120_000);

  test('stays where it is when a row of the target was changed meanwhile', async () => {
    const { dataDir, config, address } = await interrupted('files');
    await ask(address, `UPDATE media SET title = title || '!' WHERE id = (SELECT max(id) FROM media)`);
    const answer = await move(dataDir, '--to', config);
    expect(answer).toMatchObject({ code: 1, error: { code: 'move.different' } });
    expect(answer.error?.message).toContain('in media:');
    await expect(startService({ dataDir, config, seed: 'demo' })).rejects.toThrow('not to the end');
    await start({ dataDir });
  }, 120_000);
});

const idOf = (path: string) => Number(path.split('/').at(-1));

/** The columns of each table, but of the index, which is made anew. */
async function tablesIn(address: string): Promise<Record<string, string[]>> {
  const rows = await ask<{ name: string; columns: string }>(
    address,
    `SELECT table_name AS name, string_agg(column_name, ',') AS columns FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name <> 'media_text' GROUP BY table_name`,
  );
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns.split(',').sort()]));
}
