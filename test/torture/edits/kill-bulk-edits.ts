import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BulkChange } from '../../../shared/contract/edits.ts';
import type { Prng } from '../../helpers/data/prng.ts';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { programPath } from '../../helpers/system/programs.ts';
import { type ChangingProxy, startChangingProxy } from '../../helpers/wire/changing-proxy.ts';
import { databaseFaults } from '../engine/check-outcome.ts';
import { withSeed } from '../with-seed.ts';
import type { BulkEditJob, BulkEditReport, EditSource } from './bulk-edit-job.ts';

export interface BulkKillReport {
  items: number;
  kills: number;
  /** The number of requests that changed an item, and of the values in their bodies, for the edit and the undo together. */
  writes: number;
  values: number;
  /** The number of values that someone else changed in between, and that the undo therefore did not change. */
  left: number;
  /** These rates are those of the process that lived longest. */
  itemsPerSecond: number;
  eventsPerSecond: number;
}

const PROCESS = new URL('bulk-edit-process.ts', import.meta.url);
const CHANGE: BulkChange = {
  title: { kind: 'prefix', text: '2031: ' },
  // Some items already have this byline: no byline is sent for them.
  byline: { kind: 'set', value: 'Ada' },
  tags: { kind: 'change', add: ['reviewed'], remove: [] },
};
const OTHERS = 10;

/**
 * Edits every item of a library in one group, as `source` says, while the engine is killed `kills` times, and undoes the group while it is
 * killed as often. Throws unless each value was sent exactly once, and the undo restored all of them except those that
 * someone else changed in between.
 */
export function killBulkEdits(
  { items, kills, seed, source = 'selection' }: { items: number; kills: number; seed: number; source?: EditSource },
  onProgress: (line: string) => void,
): Promise<BulkKillReport> {
  return withSeed(seed, async (prng) => {
    const service = await startService({ seed: `bulk:${items}:20` });
    const proxy = await startChangingProxy(service.baseUrl);
    const profileDir = mkdtempSync(join(tmpdir(), 'mediadesk-bulk-edit-'));
    const client = await clientFor(service);
    try {
      const job = { profileDir, site: { ...service, baseUrl: proxy.baseUrl }, source, change: CHANGE };
      return await editAndUndo(job, { items, kills, prng, client, proxy, onProgress });
    } finally {
      rmSync(profileDir, { recursive: true, force: true });
      await proxy.close();
      await service.stop();
    }
  });
}

interface Campaign {
  items: number;
  kills: number;
  prng: Prng;
  client: ServiceClient;
  proxy: ChangingProxy;
  onProgress(line: string): void;
}

async function editAndUndo(job: Omit<BulkEditJob, 'step'>, campaign: Campaign): Promise<BulkKillReport> {
  const { client, proxy, onProgress } = campaign;
  const before = await valuesOfAll(client);
  const edited = await killUntilDone({ ...job, step: 'apply' }, campaign);
  const expected = new Map([...before].map(([id, values]) => [id, withChange(values)]));
  compare(await valuesOfAll(client), expected, 'after the edit');
  const [group] = edited.report.groups;
  if (group?.counts.done !== before.size) throw new Error(`the report does not add up: ${JSON.stringify(group)}`);
  const wire = countWrites(proxy);
  requireEqual(wire, expectedWrites([...before.values()]), 'the writes of the edit');
  onProgress(`${before.size} items edited with ${sum(wire.requests)} writes over ${edited.kills} kills`);

  const touched = [...before.keys()].slice(0, OTHERS);
  for (const id of touched) await client.post(`/api2/media/${id}`, { title: `Renamed ${id}` });
  proxy.change({});
  const undone = await killUntilDone({ ...job, step: 'undo' }, campaign);
  const restored = new Map(before);
  for (const id of touched) restored.set(id, { ...(before.get(id) as Values), title: `Renamed ${id}` });
  compare(await valuesOfAll(client), restored, 'after the undo');
  const [undo] = undone.report.groups;
  if (undo?.counts.left !== OTHERS || undo.counts.done !== before.size - OTHERS) {
    throw new Error(`the report of the undo does not add up: ${JSON.stringify(undo)}`);
  }
  const undoWire = countWrites(proxy);
  requireEqual(undoWire, expectedUndo(before, new Set(touched)), 'the writes of the undo');
  onProgress(`undone with ${sum(undoWire.requests)} writes over ${undone.kills} kills; ${OTHERS} left alone`);
  const longest = edited.report.seconds > undone.report.seconds ? edited.report : undone.report;
  return {
    items: before.size,
    kills: edited.kills + undone.kills,
    writes: sum(wire.requests) + sum(undoWire.requests),
    values: sum(wire.values) + sum(undoWire.values),
    left: OTHERS,
    itemsPerSecond: longest.sent / longest.seconds,
    eventsPerSecond: longest.events / longest.seconds,
  };
}

/** Starts one process after the other, and kills each when a random part of the rest is done; the last one ends itself. */
async function killUntilDone(job: BulkEditJob, { items, kills, prng, onProgress }: Campaign) {
  let done = 0;
  for (;;) {
    const { child, pending, ended } = startLife(job);
    if (done < kills) {
      // Sometimes also kills the process while it reads the items and stores the group, at its beginning.
      if (prng.chance(0.2)) setTimeout(() => child.kill('SIGKILL'), prng.int(200, 1500));
      const target = prng.int(0, items);
      pending((count) => {
        if (count <= target) child.kill('SIGKILL');
      });
    }
    const report = await ended;
    if (report !== null) return { report, kills: done };
    done += 1;
    const faults = databaseFaults(job.profileDir);
    if (faults.length > 0) throw new Error(`after ${done} kills:\n${faults.join('\n')}`);
    onProgress(`${job.step}: killed ${done} times`);
  }
}

function startLife(job: BulkEditJob): {
  child: ChildProcess;
  pending(listener: (count: number) => void): void;
  ended: Promise<BulkEditReport | null>;
} {
  const child = spawn(process.execPath, [programPath(PROCESS)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, JOB: JSON.stringify(job) },
  });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => void errors.push(chunk.toString('utf8')));
  let last = '';
  const listeners: ((count: number) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = line;
    const count = /^pending (\d+)$/.exec(line)?.[1];
    if (count !== undefined) for (const listener of listeners) listener(Number(count));
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    if (signal === 'SIGKILL') return null;
    if (code === 0) return JSON.parse(last) as BulkEditReport;
    throw new Error(`the engine ended with ${code ?? signal}:\n${errors.join('')}`);
  });
  return { child, pending: (listener) => void listeners.push(listener), ended };
}

interface Values {
  title: string;
  byline: string | null;
  tags: string[];
  description: string;
  status: string;
  collection: string;
}

function withChange(values: Values): Values {
  return { ...values, title: `2031: ${values.title}`, byline: 'Ada', tags: [...values.tags, 'reviewed'].sort() };
}

async function valuesOfAll(client: ServiceClient): Promise<Map<string, Values>> {
  const all = new Map<string, Values>();
  let next: string | null = '/api2/media?sort=created_on&per_page=200';
  while (next !== null) {
    const { body } = await client.get(next);
    for (const { id, title, byline, tags, description, status, collection_id } of body.items) {
      all.set(id, { title, byline, tags: [...tags].sort(), description, status, collection: collection_id });
    }
    next = body.links.next;
  }
  return all;
}

function compare(now: ReadonlyMap<string, Values>, expected: ReadonlyMap<string, Values>, when: string): void {
  const wrong = [...expected].filter(([id, values]) => JSON.stringify(now.get(id)) !== JSON.stringify(values));
  if (now.size === expected.size && wrong.length === 0) return;
  const examples = wrong
    .slice(0, 3)
    .map(([id, values]) => `${JSON.stringify(now.get(id))} instead of ${JSON.stringify(values)}`);
  throw new Error(`${when}, ${wrong.length} of ${expected.size} items are wrong:\n${examples.join('\n')}`);
}

/** Requests by their kind, and values by their field. */
interface Wire {
  requests: Record<string, number>;
  values: Record<string, number>;
}

function countWrites({ seen }: ChangingProxy): Wire {
  const wire: Wire = { requests: {}, values: {} };
  const add = (counts: Record<string, number>, name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const { method, url, body } of seen) {
    const [, action] = /^\/api2\/media\/\d+(?:\/([a-z-]+))?$/.exec(url) ?? [];
    if (method === 'GET' || !url.startsWith('/api2/media/')) continue;
    add(wire.requests, action ?? 'update');
    for (const field of Object.keys(JSON.parse(body) as object)) add(wire.values, field);
  }
  return wire;
}

function expectedWrites(before: readonly Values[]): Wire {
  const bylines = before.filter(({ byline }) => byline !== 'Ada').length;
  const tags = before.filter((values) => !values.tags.includes('reviewed')).length;
  return {
    requests: { update: before.length, 'add-tags': tags },
    values: { title: before.length, byline: bylines, tags },
  };
}

/** Returns the expected values after the undo: titles that someone else changed stay; all other values are restored. */
function expectedUndo(before: ReadonlyMap<string, Values>, touched: ReadonlySet<string>): Wire {
  const changed = [...before].filter(([, { byline }]) => byline !== 'Ada');
  const tags = [...before.values()].filter((values) => !values.tags.includes('reviewed')).length;
  const updated = new Set([...changed.map(([id]) => id), ...[...before.keys()].filter((id) => !touched.has(id))]);
  return {
    requests: { update: updated.size, 'remove-tags': tags },
    values: { title: before.size - touched.size, byline: changed.length, tags },
  };
}

function requireEqual(actual: Wire, expected: Wire, what: string): void {
  const sorted = (counts: Record<string, number>) => JSON.stringify(Object.entries(counts).sort());
  if (sorted(actual.requests) === sorted(expected.requests) && sorted(actual.values) === sorted(expected.values))
    return;
  throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);
