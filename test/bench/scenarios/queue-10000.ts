// 10,000 small files through the whole engine into the real service, compared with a client that sends the same requests with the
// same parallelism and stores nothing. Each has a new service of its own; they run alternately.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientFor } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { orderWorker } from '../order-worker.ts';
import { isQuick, MIB } from '../peers.ts';
import { atLeast, atMost, figure, median, report } from '../report.ts';
import { makeSmallFiles } from '../small-files.ts';
import type { QueueFindings } from '../workers/queue-engine.ts';

const count = isQuick ? 500 : 10_000;
const rounds = isQuick ? 1 : 3;
const SIZE_BYTES = 20_000;
const PARALLEL = 4;

const files = makeSmallFiles(count, SIZE_BYTES);
const engineRounds: QueueFindings[] = [];
const bareRounds: { completeMs: number }[] = [];
try {
  for (let round = 0; round < rounds; round += 1) {
    engineRounds.push(await withService(throughEngine));
    bareRounds.push(await withService(bare));
  }
  const ratios = engineRounds.map(
    ({ completeMs }, round) => (bareRounds[round]?.completeMs ?? Number.NaN) / completeMs,
  );
  const rate = (found: readonly { completeMs: number }[]) =>
    median(found.map(({ completeMs }) => (count / completeMs) * 1000));
  report({
    scenario: 'queue-10000',
    about: `${count} files of ${SIZE_BYTES / 1000} KB, ${PARALLEL} at a time, from adding to complete; medians of ${rounds}`,
    rows: [
      figure('engine', rate(engineRounds), 'files/s', 1),
      figure('bare client', rate(bareRounds), 'files/s', 1),
      atLeast('engine : bare client', median(ratios), 0.7),
      atMost(
        'event-loop delay of the engine, p99',
        median(engineRounds.map(({ loopP99Ms }) => loopP99Ms)),
        20,
        'ms',
        1,
      ),
      figure(
        'CPU of the engine for each file',
        (median(engineRounds.map(({ cpuSeconds }) => cpuSeconds)) / count) * 1000,
        'ms',
        2,
      ),
      figure('peak memory of the engine', median(engineRounds.map(({ peakBytes }) => peakBytes)) / MIB, 'MiB'),
    ],
  });
} finally {
  files.remove();
}

async function withService<T>(work: (service: ServiceProcess) => Promise<T>): Promise<T> {
  const service = await startService();
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

async function throughEngine(service: ServiceProcess): Promise<QueueFindings> {
  const profileDir = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
  try {
    const { baseUrl, clientId, admin } = service;
    const order = {
      task: 'run',
      profileDir,
      target: { baseUrl, clientId, admin },
      folder: files.folder,
      count,
      seconds: 0,
    };
    const found = await orderWorker<QueueFindings>('queue-engine.ts', order);
    if (found.completed !== count) throw new Error(`${found.completed} of ${count} are complete`);
    return found;
  } finally {
    rmSync(profileDir, { recursive: true, force: true });
  }
}

async function bare(service: ServiceProcess): Promise<{ completeMs: number }> {
  const client = await clientFor(service);
  const { body } = await client.get('/api2/collections');
  const order = {
    baseUrl: service.baseUrl,
    token: client.tokens.access_token,
    collectionId: body.items[0].id,
    paths: files.paths,
    parallel: PARALLEL,
  };
  return orderWorker('bare-uploads.ts', order);
}
