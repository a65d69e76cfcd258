import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../../electron/engine/engine.ts';
import type { BrowserOpener } from '../../../electron/engine/ports/browser-opener.ts';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { batchDefaultsSchema } from '../../../shared/contract/uploads.ts';
import { allRows, createTestProfile } from '../../helpers/engine/engine-host.ts';
import { fastClock } from '../../helpers/time/fast-clock.ts';
import { COLLECTION_ID } from '../server/library.ts';
import { type UnusualCase, USUAL_FILES } from './case.ts';
import { judge } from './judge.ts';
import type { Outcome } from './outcome.ts';
import type { ServerProcess } from './server-process.ts';

/** A backoff of 10 s passes in a quarter of a second. */
const SPEED = 40;
/** The time limit on the clocks of both sides: almost all cases end after a twentieth of it. */
const LIMIT_MS = 1_000_000;
/**
 * The factor by which the clocks are slower in the second run of a failed case: on a busy machine, a fast clock leaves the sender
 * too little time.
 */
const SLOWER = 4;

/**
 * Uploads the files of a case through the whole engine to its server. Returns what is wrong, as sentences. A case that
 * failed is run once more with slower clocks, and only that run counts: a fault of the client shows at every speed.
 */
export async function runCase(each: UnusualCase, servers: ServerProcess): Promise<string[]> {
  const speed = each.speed ?? SPEED;
  const wrong = await runAt(speed, each, servers);
  return wrong.length === 0 ? wrong : runAt(speed / SLOWER, each, servers);
}

/** Longest time that a case can take, in milliseconds of real time. */
export const LONGEST_CASE_MS = (LIMIT_MS / SPEED) * (1 + SLOWER) + 20_000;

async function runAt(speed: number, each: UnusualCase, servers: ServerProcess): Promise<string[]> {
  const epochMs = Date.now();
  const clock = fastClock(speed, epochMs);
  const baseUrl = await servers.open(each.id, { speed, epochMs });
  const dir = mkdtempSync(join(tmpdir(), 'mediadesk-unusual-'));
  const profile = createTestProfile({ admin: { email_address: '', password: '' } });
  try {
    const engine = await profile.open({ clock, openers: { embedded: APPROVING, system: APPROVING } });
    try {
      return judge(
        each,
        await upload(each, { engine, servers, baseUrl, dir, limitMs: LIMIT_MS / speed, now: () => clock.now() }),
      );
    } finally {
      await engine.stop();
    }
  } catch (error) {
    return [`The case could not be run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  } finally {
    await servers.close(each.id);
    profile.remove();
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Desk {
  engine: Engine;
  servers: ServerProcess;
  baseUrl: string;
  dir: string;
  /** The real time within which the engine has to become idle. */
  limitMs: number;
  now(): number;
}

async function upload(each: UnusualCase, { engine, servers, baseUrl, dir, limitMs, now }: Desk): Promise<Outcome> {
  const hashes = putFiles(each, dir);
  const typed = baseUrl + (each.typedPath ?? '');
  const { id: siteId } = await engine.call('sites.signIn', {
    baseUrl: typed,
    clientId: 'unusual',
    browser: 'embedded',
  });
  const beforeUpload = (await servers.report(each.id)).exchanges.length;
  const errors = noteErrors(engine);
  const startedAt = now();
  engine.startUploads();
  const defaults = batchDefaultsSchema.parse({ ...each.batch });
  await engine.call('uploads.add', { siteId, collectionId: COLLECTION_ID, paths: [dir], defaults });
  const unfinished = await comesToRest(engine, limitMs);
  const rows = await allRows(engine);
  const library = await servers.report(each.id);
  return { rows, hashes, errors, library, beforeUpload, tookMs: now() - startedAt, unfinished };
}

/** Writes the files, each with different bytes. Returns their hashes by path. */
function putFiles({ files = USUAL_FILES }: UnusualCase, dir: string): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const { name, bytes } of files) {
    const content = Buffer.alloc(bytes, `${name} ${bytes} `);
    // Captions are checked before they are sent.
    if (name.endsWith('.vtt')) content.write('WEBVTT\n\n00:01.000 --> 00:02.000\n');
    writeFileSync(join(dir, name), content);
    hashes.set(join(dir, name), createHash('sha256').update(content).digest('hex'));
  }
  return hashes;
}

function noteErrors(engine: Engine): Map<string, AppErrorData[]> {
  const errors = new Map<string, AppErrorData[]>();
  engine.on('onDidChangeUploads', ({ rows }) => {
    for (const { path, error } of rows) {
      const known = errors.get(path) ?? [];
      if (error === null || known.some((each) => JSON.stringify(each) === JSON.stringify(error))) continue;
      errors.set(path, [...known, error]);
    }
  });
  return errors;
}

/** Returns null when no upload can continue automatically; otherwise, after the timeout, the states of all uploads. */
async function comesToRest(engine: Engine, limitMs: number): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<'too long'>((resolve) => {
    timer = setTimeout(() => resolve('too long'), limitMs);
  });
  const ended = await Promise.race([engine.whenUploadsIdle(), tooLong]);
  clearTimeout(timer);
  if (ended !== 'too long') return null;
  const rows = (await allRows(engine)).map(
    ({ fileName, state, attempts, error }) => `${fileName}: ${state}, ${attempts} retries, ${JSON.stringify(error)}`,
  );
  return `Not at rest after ${Math.round(limitMs / 1000)} s. ${rows.join(' | ')}`;
}

/** A user who approves immediately: the library redirects without a page. */
const APPROVING: BrowserOpener = {
  async open(url) {
    const follow = (address: string) =>
      get(address, (response) => {
        response.resume();
        const { location } = response.headers;
        if (location !== undefined) follow(new URL(location, address).href);
      });
    follow(url);
    return { close: () => {} };
  },
};
