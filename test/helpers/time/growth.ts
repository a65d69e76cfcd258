/** The number of characters of the shorter text. */
const SHORT = 6000;
const TIMES = 4;
/** With quadratic time, the longer text takes longer than this on any computer. */
const SURELY_LINEAR_MS = 2;
/** Linear time grows by a factor of 4, quadratic time by 16. */
const MOST_GROWTH = 9;
/** Up to this factor, a few runs are enough; above it, the CPU time of many runs decides. */
const CLEARLY_LINEAR = 6;
/** The system measures CPU time in steps of up to 10 ms. */
const MEASURED_MS = 60;

const SHORT_RUNS = 4;

/** Several, so that a garbage collection, or another program that needs the processor's caches, does not count. */
const MEASUREMENTS = 3;

/** CPU milliseconds of one run. The time of other programs, and of the system, which provides the memory, does not count. */
function costOf(work: () => unknown): number {
  for (let runs = 1; ; runs *= 3) {
    const before = process.threadCpuUsage();
    for (let run = 0; run < runs; run += 1) attempt(work);
    const ms = process.threadCpuUsage(before).user / 1000;
    if (ms >= MEASURED_MS) return ms / runs;
  }
}

/** A rejected text is a valid result; only the time matters here. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // Only the time matters here, too.
  }
}

function fewRuns(work: () => unknown, runs = 3): number[] {
  return Array.from({ length: runs }, () => elapsedMs(work));
}

function elapsedMs(work: () => unknown): number {
  const startedAt = performance.now();
  attempt(work);
  return performance.now() - startedAt;
}

/**
 * Returns the growth factor of the time of `work` for a text four times as long, if it is more than linear; otherwise
 * null. A factor is independent of the speed of the computer.
 */
export function steepGrowth(work: (text: string) => unknown, textOf: (chars: number) => string): number | null {
  const [short, long] = [textOf(SHORT), textOf(SHORT * TIMES)];
  // One run is enough for most texts.
  const firstMs = elapsedMs(() => work(long));
  if (firstMs < SURELY_LINEAR_MS) return null;
  // The long run came first, so the short ones are not slower for lack of compiled code. A short run that another program
  // interrupts looks as long as a long one, so there are several of them.
  const shortMs = Math.min(...fewRuns(() => work(short), SHORT_RUNS));
  if (firstMs / shortMs < CLEARLY_LINEAR) return null;
  const longMs = Math.min(...fewRuns(() => work(long)));
  if (longMs < SURELY_LINEAR_MS || longMs / shortMs < CLEARLY_LINEAR) return null;
  let longCost = 0;
  let growth = Number.POSITIVE_INFINITY;
  for (let measured = 0; measured < MEASUREMENTS; measured += 1) {
    longCost = costOf(() => work(long));
    growth = Math.min(growth, longCost / costOf(() => work(short)));
    if (growth <= MOST_GROWTH) return null;
  }
  // Where memory is slow, linear time has a step at the size from which each run takes new memory. Quadratic time grows at every size.
  const longest = textOf(SHORT * TIMES * TIMES);
  growth = Math.min(growth, costOf(() => work(longest)) / longCost);
  return growth <= MOST_GROWTH ? null : growth;
}
