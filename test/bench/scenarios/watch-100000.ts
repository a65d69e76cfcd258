// 100,000 files in 1,000 folders: the time until a watched folder has found all of them, the memory and processor time for that,
// and what each further sweep takes; compared with `find -printf` and chokidar alone. They run alternately.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../helpers/service/service-process.ts';
import { orderWorker } from '../order-worker.ts';
import { isQuick, MIB } from '../peers.ts';
import { atMost, figure, median, report } from '../report.ts';
import type { ChokidarFindings } from '../workers/watch-chokidar.ts';
import type { WatchFindings } from '../workers/watch-engine.ts';

const folders = isQuick ? 50 : 1000;
const FILES_IN_A_FOLDER = 100;
const files = folders * FILES_IN_A_FOLDER;
const rounds = isQuick ? 1 : 3;
const IDLE_SECONDS = isQuick ? 2 : 20;

const folder = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
const service = await startService();
const engineRounds: WatchFindings[] = [];
const chokidarRounds: ChokidarFindings[] = [];
const findMs: number[] = [];
try {
  for (let index = 0; index < folders; index += 1) {
    const inner = join(folder, `reel ${index + 1}`);
    mkdirSync(inner);
    for (let take = 1; take <= FILES_IN_A_FOLDER; take += 1) writeFileSync(join(inner, `take ${take}.wav`), 'RIFF');
  }
  for (let round = 0; round < rounds; round += 1) {
    engineRounds.push(await throughEngine());
    chokidarRounds.push(await orderWorker<ChokidarFindings>('watch-chokidar.ts', { folder }));
    findMs.push(find());
  }
  const engine = (of: (found: WatchFindings) => number) => median(engineRounds.map(of));
  const chokidar = (of: (found: ChokidarFindings) => number) => median(chokidarRounds.map(of));
  report({
    scenario: 'watch-100000',
    about: `${files} files in ${folders} folders; medians of ${rounds}`,
    rows: [
      atMost('all files known, in the database', engine(({ firstSweepMs }) => firstSweepMs) / 1000, 5, 's'),
      figure('chokidar alone, in memory', chokidar(({ readyMs }) => readyMs) / 1000, 's', 2),
      figure('find -printf', median(findMs) / 1000, 's', 2),
      atMost('heap that stays, after garbage', engine(({ heapBytes }) => heapBytes) / MIB, 150, 'MiB', 1),
      figure('chokidar: heap that stays', chokidar(({ heapBytes }) => heapBytes) / MIB, 'MiB', 1),
      figure('peak memory', engine(({ peakBytes }) => peakBytes) / MIB, 'MiB'),
      figure('from then until events are reported', engine(({ subscribeMs }) => subscribeMs) / 1000, 's', 2),
      figure('sweep of the unchanged folder', engine(({ nextSweepMs }) => nextSweepMs) / 1000, 's', 2),
      atMost(
        'processor, with a sweep each minute',
        (engine(({ nextSweepCpuSeconds }) => nextSweepCpuSeconds) / 60) * 100,
        3,
        '%',
      ),
      atMost('processor, idle', (engine(({ idleCpuSeconds }) => idleCpuSeconds) / IDLE_SECONDS) * 100, 0.5, '%'),
      atMost(
        'event-loop delay during sweeps, p99',
        engine(({ loopP99Ms }) => loopP99Ms),
        20,
        'ms',
        1,
      ),
      atMost('inotify watches for each folder', engine(({ inotifyWatches }) => inotifyWatches) / (folders + 1), 1),
    ],
  });
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function throughEngine(): Promise<WatchFindings> {
  const profileDir = mkdtempSync(join(tmpdir(), 'mediadesk-bench-profile-'));
  try {
    const { baseUrl, clientId, admin } = service;
    const target = { baseUrl, clientId, admin };
    return await orderWorker<WatchFindings>('watch-engine.ts', {
      profileDir,
      target,
      folder,
      files,
      idleSeconds: IDLE_SECONDS,
    });
  } finally {
    rmSync(profileDir, { recursive: true, force: true });
  }
}

function find(): number {
  const startedAt = performance.now();
  const { status } = spawnSync('find', [folder, '-type', 'f', '-printf', '%p %s %T@ %i\\n'], { stdio: 'ignore' });
  if (status !== 0) throw new Error(`find ended with ${status}`);
  return performance.now() - startedAt;
}
