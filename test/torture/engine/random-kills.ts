import type { Prng } from '../../helpers/data/prng.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { withSeed } from '../with-seed.ts';
import { checkOutcome, databaseFaults } from './check-outcome.ts';
import { type EngineCase, prepareCase, startLife, tailOfLog } from './engine-case.ts';

export interface RandomKillReport {
  kills: number;
  files: number;
  complete: number;
  /** The number of sign-ins that were necessary because the service's answer was lost with the process. */
  signIns: number;
  lives: number;
}

const SHORTEST_LIFE_MS = 1;
const LONGEST_LIFE_MS = 1200;
const SMALLEST_BYTES = 1;
const LARGEST_BYTES = 120_000;

/**
 * Uploads `files` files to the real service while the engine is killed `kills` times at random times and restarted at
 * once. Throws unless each file exists exactly once with the right bytes.
 */
export function killEngineAtRandom(
  kills: number,
  files: number,
  seed: number,
  onProgress: (line: string) => void,
): Promise<RandomKillReport> {
  return withSeed(seed, (prng) => killAtRandom(kills, files, prng, onProgress));
}

async function killAtRandom(
  kills: number,
  files: number,
  prng: Prng,
  onProgress: (line: string) => void,
): Promise<RandomKillReport> {
  const service = await startService();
  const names = Array.from({ length: files }, (_, index) => [
    index % 10 === 0 ? `public ${index}` : `recording ${index}`,
    prng.int(SMALLEST_BYTES, LARGEST_BYTES),
  ]);
  const engineCase = await prepareCase(service, 'journey', Object.fromEntries(names));
  try {
    return await killUntilDone(engineCase, kills, files, prng, onProgress);
  } finally {
    engineCase.remove();
    await service.stop();
  }
}

async function killUntilDone(
  engineCase: EngineCase,
  kills: number,
  files: number,
  prng: Prng,
  onProgress: (line: string) => void,
): Promise<RandomKillReport> {
  const { job } = engineCase;
  let done = 0;
  let lives = 0;
  while (done < kills) {
    lives += 1;
    const life = startLife({ ...job, parallelTransfers: 4 });
    // Some processes die during their start, others while they upload.
    if (prng.chance(0.9)) await life.working;
    const timer = setTimeout(() => life.child.kill('SIGKILL'), prng.int(SHORTEST_LIFE_MS, LONGEST_LIFE_MS));
    const report = await life.ended;
    clearTimeout(timer);
    if (report !== null) {
      onProgress(`everything was there after ${done} kills`);
      break;
    }
    done += 1;
    const faults = databaseFaults(job.profileDir);
    if (faults.length > 0) throw new Error(`after ${done} kills:\n${faults.join('\n')}`);
    if (done % 20 === 0) onProgress(`${done} kills`);
  }
  const report = await startLife({ ...job, parallelTransfers: 4 }).ended;
  if (report === null) throw new Error('killed by a signal of another process');
  const { broken, complete } = await checkOutcome(engineCase, report);
  if (broken.length > 0) throw new Error(`after ${done} kills:\n${broken.slice(0, 50).join('\n')}\n${tailOfLog(job)}`);
  return { kills: done, files, complete, signIns: report.signIns, lives: lives + 1 };
}
