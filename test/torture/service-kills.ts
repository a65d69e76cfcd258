import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Prng } from '../helpers/data/prng.ts';
import { clientFor, type ServiceClient, sendForm } from '../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../helpers/service/service-process.ts';
import { IS_ON_SERVER } from '../helpers/service/test-database.ts';
import { integrityFaults } from '../helpers/system/integrity.ts';
import { withSeed } from './with-seed.ts';

/** The answers that clients received: each must still be true after any number of power cuts. */
interface Promised {
  items: Map<string, string>;
  /** Path of a file whose bytes and completion the service acknowledged, with their hash. */
  files: Map<string, string>;
  /** Files without an acknowledgement: they may have any state except complete with wrong bytes. */
  open: Map<string, string>;
}

export interface KillReport {
  kills: number;
  items: number;
  files: number;
  /** The number of files without an acknowledgement that were complete all the same, with the right bytes. */
  openButComplete: number;
}

const WORKERS = 4;
const LARGEST_BYTES = 600_000;
const SHORTEST_LIFE_MS = 60;
const LONGEST_LIFE_MS = 400;
const ITEMS_OF_A_LIFE = 3;

/**
 * Starts the real service, loads it, kills it at a random time and restarts it, `kills` times with the same data.
 * Throws at the first violation: a damaged database, a missing acknowledged item or file, or a `complete` file with
 * other bytes than sent.
 */
export function killServiceUnderLoad(
  kills: number,
  seed: number,
  onProgress: (line: string) => void,
): Promise<KillReport> {
  return withSeed(seed, (prng) => killUnderLoad(kills, prng, onProgress));
}

async function killUnderLoad(kills: number, prng: Prng, onProgress: (line: string) => void): Promise<KillReport> {
  const service = await startService();
  const promised: Promised = { items: new Map(), files: new Map(), open: new Map() };
  try {
    for (let round = 1; round <= kills; round += 1) {
      const client = await clientFor(service);
      // Every second kill meets a service that has done something, however slow the computer is.
      const least = round % 2 === 0 ? promised.items.size + ITEMS_OF_A_LIFE : 0;
      const life = lifeOf(prng.int(SHORTEST_LIFE_MS, LONGEST_LIFE_MS), () => promised.items.size >= least);
      const load = Array.from({ length: WORKERS }, () => {
        const own = new Prng(prng.int(1, 1e9));
        return keepBusy(client, promised, own, life.isOver);
      });
      await Promise.race([life.over, Promise.all(load)]).finally(life.end);
      await service.kill9();
      await Promise.all(load);
      if (!IS_ON_SERVER) assertIntact(service.dataDir);
      await service.restart();
      if (round % 20 === 0)
        onProgress(`${round} kills, ${promised.items.size} items and ${promised.files.size} files kept`);
    }
    return await verify(service, promised, kills);
  } finally {
    await service.stop();
  }
}

function lifeOf(ms: number, isLongEnough: () => boolean) {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const wait = async () => {
    await sleep(ms);
    while (!isOver && !isLongEnough()) await sleep(5);
    end();
  };
  return { isOver: () => isOver, over: wait(), end };
}

/** Creates items and uploads files until the service dies; records exactly what was acknowledged. */
async function keepBusy(client: ServiceClient, promised: Promised, prng: Prng, isOver: () => boolean): Promise<void> {
  try {
    while (!isOver()) {
      const title = randomBytes(8).toString('hex');
      const item = await client.createItem(title);
      promised.items.set(item, title);
      const bytes = randomBytes(prng.int(1, LARGEST_BYTES));
      const hash = createHash('sha256').update(bytes).digest('hex');
      const file = await client.post(`${item}/files`, { upload_name: `${title}.bin`, upload_size: bytes.length });
      if (file.status !== 201) throw new Error(`a file was not created: ${file.status} ${file.text}`);
      promised.open.set(file.location, hash);
      const sent = await sendForm(file.body.upload, `${title}.bin`, bytes);
      if (sent.status !== 204) throw new Error(`bytes were refused: ${sent.status}`);
      const ended = await fetch(file.body.upload.protocols.form_data.postprocess_url, { method: 'POST' });
      if (!ended.ok) throw new Error(`the end of an upload was refused: ${ended.status}`);
      promised.files.set(file.location, hash);
      promised.open.delete(file.location);
    }
  } catch (error) {
    // A connection that died with the service is expected; a wrong answer is a violation.
    if (!isConnectionError(error)) throw error;
  }
}

function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}

/**
 * Throws when the database is damaged after a kill. Checks a copy: opening the database itself would recover its write-ahead log
 * before the service does.
 */
function assertIntact(dataDir: string): void {
  const files = readdirSync(dataDir);
  const name = files.find((file) => file.endsWith('.sqlite'));
  if (!name) throw new Error('the service has no database');
  const copies = mkdtempSync(join(tmpdir(), 'library-killed-'));
  try {
    // The database, and beside it the files with `-wal` and `-shm`.
    for (const file of files) if (file.startsWith(name)) copyFileSync(join(dataDir, file), join(copies, file));
    const faults = integrityFaults(join(copies, name));
    if (faults.length > 0) throw new Error(`the database is damaged: ${faults.join(', ')}`);
  } finally {
    rmSync(copies, { recursive: true });
  }
}

async function verify(service: ServiceProcess, promised: Promised, kills: number): Promise<KillReport> {
  const client = await clientFor(service);
  for (const [path, title] of promised.items) {
    const { status, body } = await client.get(path);
    if (status !== 200 || body.title !== title) throw new Error(`an acknowledged item is lost: ${path} ${status}`);
  }
  for (const [path, hash] of promised.files) {
    const { status } = await client.processed(path);
    if (status !== 'complete') throw new Error(`an acknowledged file is not complete: ${path} is ${status}`);
    await assertBytes(service, path, hash);
  }
  let openButComplete = 0;
  for (const [path, hash] of promised.open) {
    const { body } = await client.get(path);
    if (body.status !== 'complete') continue;
    await assertBytes(service, path, hash);
    openButComplete += 1;
  }
  return { kills, items: promised.items.size, files: promised.files.size, openButComplete };
}

async function assertBytes(service: ServiceProcess, path: string, hash: string): Promise<void> {
  const id = path.split('/').at(-1);
  const { sha256 } = await service.control<{ sha256: string }>('GET', `/files/${id}/sha256`);
  if (sha256 !== hash) throw new Error(`a complete file has other bytes than were sent: ${path}`);
}
