// A long queue: adding its rows, loading them after a restart, and listing them while it works.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../helpers/service/service-process.ts';
import { startIdlePeer } from './idle-peer.ts';
import { orderWorker } from './order-worker.ts';
import { isQuick, MIB } from './peers.ts';
import { atMost, figure, report } from './report.ts';
import { makeSmallFiles } from './small-files.ts';
import type { QueueFindings, QueueOrder } from './workers/queue-engine.ts';

const SECONDS_AT_WORK = isQuick ? 5 : 20;

/** Measures a queue of `count` files of 200 bytes, and prints the report of the scenario. */
export async function reportQueue(scenario: string, count = isQuick ? 10_000 : 100_000): Promise<void> {
  const files = makeSmallFiles(count, 200);
  const profileDir = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
  const service = await startService();
  try {
    const { baseUrl, clientId, admin } = service;
    const order = (task: QueueOrder['task']): QueueOrder => ({
      task,
      profileDir,
      target: { baseUrl, clientId, admin },
      folder: files.folder,
      count,
      seconds: SECONDS_AT_WORK,
    });
    const added = await orderWorker<QueueFindings>('queue-engine.ts', order('add'));
    const said = await orderWorker<QueueFindings>('queue-engine.ts', order('commands'));
    const endIdlePeer = await startIdlePeer();
    const restarted = await orderWorker<QueueFindings>('queue-engine.ts', order('restart'));
    const idleP99 = await endIdlePeer();
    report({
      scenario,
      about: `${count} files added, then the engine restarted and uploading for ${SECONDS_AT_WORK} s, 4 at a time`,
      rows: [
        atMost('adding all of them', added.addMs / 1000, 15, 's', 1),
        atMost('memory while adding', added.peakBytes / MIB, 300, 'MiB', 0),
        atMost('event-loop delay while adding, p99', added.loopP99Ms, 20, 'ms', 1),
        ...Object.entries(said.commandMs).map(([name, ms]) => atMost(`to ${name} all of them`, ms / 1000, 10, 's', 1)),
        atMost('event-loop delay meanwhile, p99', said.loopP99Ms, 20, 'ms', 1),
        atMost('from the start of the process to the first transfer', restarted.firstTransferMs / 1000, 3, 's', 2),
        atMost('memory at work', restarted.peakBytes / MIB, 300, 'MiB', 0),
        atMost('page of 100 rows at rest, p95', p95(added.pageMs), 10, 'ms', 1),
        atMost('page of 100 rows while at work, p95', p95(restarted.pageMs), 10, 'ms', 1),
        figure('page of 100 rows while at work, longest', Math.max(...restarted.pageMs), 'ms', 1),
        atMost('event-loop delay at work, p99', restarted.loopP99Ms, 20, 'ms', 1),
        figure('event-loop delay of an idle process beside it, p99', idleP99, 'ms', 1),
        figure('uploaded meanwhile', restarted.completed / SECONDS_AT_WORK, 'files/s', 1),
      ],
    });
  } finally {
    await service.stop();
    rmSync(profileDir, { recursive: true, force: true });
    files.remove();
  }
}

function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
