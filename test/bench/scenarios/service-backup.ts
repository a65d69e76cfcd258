// A backup of a large library while it is in use: how long does it take, and how long do writes take meanwhile, compared with
// writes just before and after it?
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { signIn } from '../../helpers/service/service-sign-in.ts';
import { isQuick, MIB } from '../peers.ts';
import { atMost, figure, median, report } from '../report.ts';

const ITEMS = isQuick ? 10_000 : 100_000;
const COLLECTIONS = ITEMS / 10;
const FILE_BYTES = 4096;
const ROUNDS = isQuick ? 1 : 5;
const BREAK_MS = 10;
const MAIN = join(import.meta.dirname, '..', '..', '..', 'service', 'main.ts');
const run = promisify(execFile);
const agent = new Agent({ keepAlive: true });

const folder = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
const dataDir = join(folder, 'data');
const service = await startService({
  dataDir,
  seed: `bulk:${ITEMS}:${COLLECTIONS}`,
  options: ['--operations', '0', '--reserve-mib', '0'],
});
try {
  await service.end('SIGTERM');
  const bytes = addFiles();
  await service.restart();
  const { access_token: token } = await signIn(service, { email: 'admin@library.example' });
  await writeUntil(service, token, sleep(3000));

  const seconds: number[] = [];
  const verified: number[] = [];
  const beside: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const to = join(folder, `backup-${round}`);
    const startedAt = performance.now();
    const backup = run(process.execPath, [MAIN, 'backup', '--data', dataDir, '--to', to, '--json']);
    beside.push(...(await writeUntil(service, token, backup)));
    const took = performance.now() - startedAt;
    seconds.push(took / 1000);
    alone.push(...(await writeUntil(service, token, sleep(took))));
    const verifyAt = performance.now();
    await run(process.execPath, [MAIN, 'verify', to, '--json']);
    verified.push((performance.now() - verifyAt) / 1000);
    rmSync(to, { recursive: true });
  }
  report({
    scenario: 'service-backup',
    about:
      `${ITEMS} items with a file of ${FILE_BYTES} bytes each, database of ${(bytes / MIB).toFixed(0)} MiB, hard links; ` +
      `one client that changes items, ${BREAK_MS} ms after each answer; ${ROUNDS} backups, ${beside.length} and ${alone.length} writes`,
    rows: [
      atMost('backup by hard links, median', median(seconds), 10, 's', 1),
      figure('backup, longest', Math.max(...seconds), 's', 1),
      figure('verify, median', median(verified), 's', 1),
      atMost('longest write beside a backup', Math.max(...beside), 50, 'ms', 1),
      figure('writes beside a backup: p99', quantile(beside, 0.99), 'ms', 1),
      figure('writes beside a backup: median', median(beside), 'ms', 1),
      figure('writes beside a backup above 50 ms', beside.filter((ms) => ms > 50).length, ''),
      figure('longest write without a backup', Math.max(...alone), 'ms', 1),
      figure('writes without a backup: p99', quantile(alone, 0.99), 'ms', 1),
      figure('writes without a backup: median', median(alone), 'ms', 1),
      figure('writes without a backup above 50 ms', alone.filter((ms) => ms > 50).length, ''),
      figure('load average of the machine', loadavg()[0] ?? Number.NaN, '', 1),
    ],
  });
} finally {
  agent.destroy();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Gives each item a stored file, while the service does not run. Returns the size of the database. */
function addFiles(): number {
  const db = new DatabaseSync(join(dataDir, 'library.sqlite'));
  const insert = db.prepare(
    `INSERT INTO files (media_id, source, type, status, display_name, declared_size, size, stored_name, received_name, sha256,
       created_on, modified_on, created_at, activity_at)
     VALUES (?, 'original', 'blob', 'complete', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (let index = 0; index < 256; index += 1) {
    mkdirSync(join(dataDir, 'stored', index.toString(16).padStart(2, '0')), { recursive: true, mode: 0o700 });
  }
  const nowAt = Date.now();
  const nowOn = Math.floor(nowAt / 1000);
  db.exec('BEGIN');
  const ids = db.prepare('SELECT id FROM media').all();
  for (const { id } of ids) {
    const content = randomBytes(FILE_BYTES);
    const name = randomBytes(16).toString('hex');
    const sha256 = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(dataDir, 'stored', name.slice(0, 2), name), content, { mode: 0o600 });
    const file = `recording-${id}.bin`;
    insert.run(Number(id), file, FILE_BYTES, FILE_BYTES, name, file, sha256, nowOn, nowOn, nowAt, nowAt);
  }
  db.exec('COMMIT');
  const bytes = Number(
    db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size').get()?.bytes,
  );
  db.close();
  return bytes;
}

/** Changes items one after another until a promise has resolved. Returns the time of each write in ms. */
async function writeUntil(library: ServiceProcess, token: string, over: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const ended = over.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  for (let index = 0; !isOver; index += 1) {
    const startedAt = performance.now();
    await write(library, `/api2/media/${1 + ((index * 37) % ITEMS)}`, token, { byline: `Writer ${index}` });
    times.push(performance.now() - startedAt);
    await sleep(BREAK_MS);
  }
  await ended;
  return times;
}

function write(library: ServiceProcess, path: string, token: string, body: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(new URL(path, library.baseUrl), { method: 'POST', agent, headers }, (response) => {
      text(response).then((answer) => {
        if ((response.statusCode ?? 500) < 300) resolve();
        else reject(new Error(`${path}: ${response.statusCode} ${answer.slice(0, 300)}`));
      }, reject);
    });
    sent.once('error', reject);
    sent.end(JSON.stringify(body));
  });
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
