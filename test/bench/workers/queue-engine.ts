import { monitorEventLoopDelay } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import type { Engine } from '../../../electron/engine/engine.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { batchDefaultsSchema, type UploadFilter } from '../../../shared/contract/uploads.ts';
import { makeCollection, signInEngine } from '../../helpers/engine/engine-host.ts';
import { type BenchTarget, openBenchEngine } from '../bench-engine.ts';

export interface QueueOrder {
  task: 'run' | 'add' | 'restart' | 'commands';
  profileDir: string;
  target: BenchTarget;
  folder: string;
  /** The number of files in the folder. */
  count: number;
  /** How long `restart` works. */
  seconds: number;
}

/** Milliseconds and bytes, as far as the task has them. */
export interface QueueFindings {
  addMs: number;
  completeMs: number;
  firstTransferMs: number;
  completed: number;
  pageMs: number[];
  /** The time of each command for all rows, by its name. */
  commandMs: Record<string, number>;
  loopP99Ms: number;
  peakBytes: number;
  cpuSeconds: number;
}

const order = JSON.parse(await text(process.stdin)) as QueueOrder;
const engine = await openBenchEngine(order);
const findings: Partial<QueueFindings> = {};
const delay = monitorEventLoopDelay({ resolution: 1 });
const cpuBefore = process.cpuUsage();
// A screen listens, too: its notifications are part of the work.
engine.on('onDidChangeUploads', () => {});

if (order.task === 'restart') {
  await restart();
} else if (order.task === 'commands') {
  await commands();
} else {
  const siteId = await signInEngine(engine, order.target);
  const collectionId = await makeCollection(engine, siteId, 'Bench');
  delay.enable();
  const startedAt = performance.now();
  const defaults = batchDefaultsSchema.parse({});
  await engine.call('uploads.add', { siteId, collectionId, paths: [order.folder], defaults });
  findings.addMs = performance.now() - startedAt;
  if (order.task === 'run') {
    engine.startUploads();
    await engine.whenUploadsIdle();
    findings.completeMs = performance.now() - startedAt;
  } else {
    findings.pageMs = await pages(engine);
  }
}
delay.disable();
findings.loopP99Ms = delay.percentile(99) / 1e6;
findings.completed = (await engine.call('uploads.totals', null)).counts.complete;
findings.peakBytes = process.resourceUsage().maxRSS * 1024;
const { user, system } = process.cpuUsage(cpuBefore);
findings.cpuSeconds = (user + system) / 1e6;
await engine.stop();
console.log(JSON.stringify(findings));

async function restart(): Promise<void> {
  const first = new Promise<void>((resolve) => {
    const dispose = engine.on('onDidChangeUploads', ({ rows }) => {
      if (!rows.some(({ state }) => state !== 'queued' && state !== 'preparing')) return;
      dispose();
      resolve();
    });
  });
  engine.startUploads();
  await first;
  // Counted from the start of the process.
  findings.firstTransferMs = performance.now();
  delay.enable();
  const until = performance.now() + order.seconds * 1000;
  findings.pageMs = [];
  while (performance.now() < until) {
    findings.pageMs.push(...(await pages(engine)));
    await new Promise<void>((resolve) => void nodeClock.schedule(500, resolve));
  }
}

/** Bulk commands about all of them, while nothing is sent. */
async function commands(): Promise<void> {
  const all = { kind: 'all' } as const;
  const [batch] = await engine.call('uploads.batches', { limit: 1 });
  const selection = { kind: 'batch', batchId: batch?.id ?? '' } as const;
  const given = {
    pause: () => engine.call('uploads.pause', selection),
    resume: () => engine.call('uploads.resume', selection),
    prefer: () => engine.call('uploads.setPriority', { selection: all, priority: 'high' }),
    cancel: () => engine.call('uploads.cancel', all),
    retry: () => engine.call('uploads.retry', all),
  };
  delay.enable();
  findings.commandMs = {};
  for (const [name, give] of Object.entries(given)) {
    const startedAt = performance.now();
    await give();
    findings.commandMs[name] = performance.now() - startedAt;
  }
}

/** Requests windows like scrolling: from top to bottom, of all uploads and of a batch, with filters. Returns the times. */
async function pages(asked: Engine): Promise<number[]> {
  const found: number[] = [];
  const filters: UploadFilter[] = ['all', 'waiting', 'complete'];
  const [batch] = await asked.call('uploads.batches', { limit: 1 });
  const lists = [null, batch?.id ?? null].flatMap((batchId) => filters.map((filter) => ({ filter, batchId })));
  for (const list of lists) {
    for (const offset of [0, 1000, Math.floor(order.count / 2), order.count - 100]) {
      const startedAt = performance.now();
      await asked.call('uploads.list', { ...list, offset, limit: 100 });
      found.push(performance.now() - startedAt);
      // The engine works on meanwhile, as it would between two frames.
      await new Promise<void>((resolve) => void nodeClock.schedule(5, resolve));
    }
  }
  return found;
}
