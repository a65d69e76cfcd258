// The whole engine in a process of its own, which watches one folder.
//   node watch-engine.ts < {"profileDir", "target", "folder", "files", "idleSeconds"}
import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import { watchRulesSchema } from '../../../shared/contract/watch-rules.ts';
import { makeCollection, signInEngine } from '../../helpers/engine/engine-host.ts';
import { type BenchTarget, openBenchEngine } from '../bench-engine.ts';
import { collectedHeap } from '../collected-heap.ts';

interface WatchOrder {
  profileDir: string;
  target: BenchTarget;
  folder: string;
  files: number;
  idleSeconds: number;
}

/** Milliseconds, bytes and seconds of processor time. */
export interface WatchFindings {
  /** Until all files have rows. */
  firstSweepMs: number;
  firstSweepCpuSeconds: number;
  /** From then until events are reported, and the sweep after that has compared all files with their rows. */
  subscribeMs: number;
  /** A sweep of an unchanged folder. */
  nextSweepMs: number;
  nextSweepCpuSeconds: number;
  idleCpuSeconds: number;
  loopP99Ms: number;
  heapBytes: number;
  peakBytes: number;
  inotifyWatches: number;
}

const order = JSON.parse(await text(process.stdin)) as WatchOrder;
const engine = await openBenchEngine(order);
const siteId = await signInEngine(engine, order.target);
const id = await makeCollection(engine, siteId, 'Bench');
engine.startUploads();
engine.startWatching();
const heapBefore = collectedHeap();

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const first = await measured(async () => {
  const rules = watchRulesSchema.parse({
    existingFiles: 'skip',
    defaults: { settings: { siteId, collection: { kind: 'fixed', collection: { kind: 'id', id, name: 'Bench' } } } },
  });
  const folder = await engine.call('watch.add', { path: order.folder, rules, sweepEveryMs: null });
  await swept(folder.id, null);
});
const [known] = await engine.call('watch.list', null);
if (known === undefined) throw new Error('the folder is not watched');
const rows = Object.values(known.counts).reduce((sum, count) => sum + count, 0);
if (rows !== order.files) throw new Error(`${rows} of ${order.files} files are known`);
const subscribe = await measured(() => swept(known.id, known.lastSweepAt));
const [watching] = await engine.call('watch.list', null);
const next = await measured(async () => {
  await engine.call('watch.sweepNow', { folderId: known.id });
  await swept(known.id, watching?.lastSweepAt ?? null);
});
delay.disable();
const heapBytes = collectedHeap() - heapBefore;
// Some seconds after the work V8 returns memory to the system, once: 0.15 s of processor time that belong to the sweeps.
await pause(order.idleSeconds * 750);
const idle = await measured(() => pause(order.idleSeconds * 1000));
const findings: WatchFindings = {
  firstSweepMs: first.ms,
  firstSweepCpuSeconds: first.cpuSeconds,
  subscribeMs: subscribe.ms,
  nextSweepMs: next.ms,
  nextSweepCpuSeconds: next.cpuSeconds,
  idleCpuSeconds: idle.cpuSeconds,
  loopP99Ms: delay.percentile(99) / 1e6,
  heapBytes,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  inotifyWatches: inotifyWatches(),
};
await engine.stop();
console.log(JSON.stringify(findings));
process.exit(0);

/** Waits for the end of a sweep later than the one that ended at `since`. */
async function swept(folderId: string, since: number | null): Promise<void> {
  const isDone = (folder: WatchedFolder) =>
    folder.id === folderId && !folder.isSweeping && folder.lastSweepAt !== null && folder.lastSweepAt !== since;
  const done = Promise.withResolvers<void>();
  const end = engine.on('onDidChangeWatch', ({ folders }) => {
    if (folders.some(isDone)) done.resolve();
  });
  if ((await engine.call('watch.list', null)).some(isDone)) done.resolve();
  await done.promise;
  end();
}

async function measured(work: () => Promise<void>): Promise<{ ms: number; cpuSeconds: number }> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - startedAt, cpuSeconds: (user + system) / 1e6 };
}

/** Returns the number of inotify watches of this process; 0 where the system does not list them. */
function inotifyWatches(): number {
  if (process.platform !== 'linux') return 0;
  let watches = 0;
  for (const name of readdirSync('/proc/self/fdinfo')) {
    try {
      watches += readFileSync(`/proc/self/fdinfo/${name}`, 'utf8').match(/^inotify wd:/gm)?.length ?? 0;
    } catch {
      // The descriptor that listed the folder.
    }
  }
  return watches;
}
