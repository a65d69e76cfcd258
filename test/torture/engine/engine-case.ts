import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clearJournal } from '../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';
import { programPath } from '../../helpers/system/programs.ts';
import { EDITED_ITEMS } from './bulk-edit-story.ts';
import type { Story } from './failpoint-plans.ts';
import { type Job, type JobReport, PROFILE_TAKEN, WORKING_LINE } from './job.ts';
import { DAMAGE, makePlaces, writeStoryFiles } from './story-files.ts';

const ENGINE = new URL('engine-process.ts', import.meta.url);
const SPEED = 40;
/** A folder for Node's compile cache: without it an engine would spend most of its short life compiling. */
const COMPILE_CACHE = join(tmpdir(), 'mediadesk-torture-cache');
/** Longer than any story, also on a busy computer. */
const TIMEOUT_MS = 180_000;

/** The faults in the service's answers to the requests of a story. The first matching rule applies. */
const FAULTS: Partial<Record<Story, object[]>> = {
  troubles: [
    { method: 'POST', path: '^/api2/media$', nth: 2, action: { kind: 'status', status: 429 } },
    { method: 'POST', path: '^/api2/media/\\d+/files$', nth: 2, action: { kind: 'status', status: 429 } },
    { method: 'POST', path: '^/api2/media/\\d+/files$', times: null, action: { kind: 'delay', ms: 250 } },
    { method: 'POST', path: '^/upload/', nth: 2, action: { kind: 'reset', afterBytes: 5000 } },
    { method: 'GET', path: '^/api2/media/\\d+/files/\\d+$', nth: 4, action: { kind: 'status', status: 500 } },
    { method: 'POST', path: '^/api2/media/\\d+/publish$', action: { kind: 'status', status: 403 } },
  ],
  afterwards: [{ method: 'POST', path: '/thumbs$', action: { kind: 'status', status: 500 } }],
};

/** One story with its own profile, files and collection, on a shared service. */
export interface EngineCase {
  readonly service: ServiceProcess;
  /** Signed in to the service. */
  readonly client: ServiceClient;
  readonly job: Job;
  /** The original SHA-256 of the files, by name. */
  readonly originals: ReadonlyMap<string, string>;
  remove(): void;
}

export async function prepareCase(
  service: ServiceProcess,
  story: Story,
  files?: Record<string, number>,
): Promise<EngineCase> {
  const root = mkdtempSync(join(tmpdir(), 'mediadesk-torture-'));
  const profileDir = join(root, 'profile');
  const folder = join(root, 'files');
  mkdirSync(profileDir);
  mkdirSync(folder);
  writeStoryFiles(story, folder, files);
  const places = makePlaces(root);
  const client = await clientFor(service);
  const displayName = `torture ${root.slice(-6)}`;
  const made = await client.post('/api2/collections', { display_name: displayName, parent_id: '1' });
  if (made.status !== 201) throw new Error(`no collection was made: ${made.status} ${made.text}`);
  const collectionId = made.location.split('/').at(-1) ?? '';
  for (const title of story === 'library' ? Object.values(EDITED_ITEMS) : [])
    await client.createItem(title, { collection_id: collectionId, tags: ['torture'] });
  if (story === 'damage') {
    writeFileSync(join(profileDir, 'queue.db'), DAMAGE);
    writeFileSync(join(profileDir, 'queue.db-wal'), DAMAGE);
  }
  await service.control('DELETE', '/faults');
  await clearJournal(service);
  // Long enough on the fast clock for its polling time to be recorded.
  await service.control('PATCH', '/settings', { processing: { delay_ms: story === 'troubles' ? 1000 : 0 } });
  for (const fault of FAULTS[story] ?? []) await service.control('POST', '/faults', fault);
  const { baseUrl, clientId, admin } = service;
  const site = { baseUrl, clientId, admin };
  return {
    service,
    client,
    job: {
      story,
      profileDir,
      folder,
      collectionId,
      site,
      speed: SPEED,
      epochMs: Date.now(),
      parallelTransfers: 2,
      places,
    },
    originals: new Map(readdirSync(folder).map((name) => [name, sha256Of(join(folder, name))])),
    remove() {
      for (const path of [root, places.carried]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** One run of an engine process. */
export interface Life {
  readonly child: ChildProcess;
  /** Resolves when uploads are in flight, or the process has ended. */
  readonly working: Promise<void>;
  /**
   * The result: its report, or null when it was killed. Rejects when it failed, with `ProfileTaken` when the profile
   * was in use.
   */
  readonly ended: Promise<JobReport | null>;
}

/** Thrown when another process used the profile, and the engine reported it. */
export class ProfileTaken extends Error {}

/** Starts the engine on a job. With `failpoint`, the engine kills itself at it. */
export function startLife(job: Job, failpoint?: string): Life {
  const { FAILPOINT: _, ...rest } = process.env;
  const env = {
    ...rest,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    JOB: JSON.stringify(job),
    ...(failpoint === undefined ? {} : { FAILPOINT: failpoint }),
  };
  const child = spawn(process.execPath, [programPath(ENGINE)], { stdio: ['ignore', 'pipe', 'pipe'], env });
  const errors: string[] = [];
  const lines: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => void errors.push(chunk.toString('utf8')));
  const reader = createInterface({ input: child.stdout });
  const isWorking = new Promise<void>((resolve) => {
    reader.on('line', (line) => {
      lines.push(line);
      if (line === WORKING_LINE) resolve();
    });
  });
  const timer = setTimeout(() => child.kill('SIGABRT'), TIMEOUT_MS);
  const ended = once(child, 'close').then(([code, signal]) => {
    clearTimeout(timer);
    if (signal === 'SIGKILL') return null;
    if (code === PROFILE_TAKEN) throw new ProfileTaken('another process has the profile');
    if (code === 0) return JSON.parse(lines.at(-1) ?? '') as JobReport;
    throw new Error(`an engine ended with ${code ?? signal}:\n${errors.join('')}\n${tailOfLog(job)}`);
  });
  const working = Promise.race([isWorking, ended.then(() => {})]);
  // Marks both rejections as handled: who started the process gets the failure by awaiting `ended`.
  for (const promise of [ended, working]) promise.catch(() => {});
  return { child, working, ended };
}

/** The engine's last log lines, to find the cause of a failure. */
export function tailOfLog(job: Job): string {
  if (!existsSync(`${job.profileDir}.log`)) return 'it noted nothing';
  return readFileSync(`${job.profileDir}.log`, 'utf8').split('\n').slice(-40).join('\n');
}

export function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
