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

const SHORT_RUNS = 12;

/** Several runs, so that a garbage collection during one of them does not count. */
const MEASUREMENTS = 3;

/** CPU milliseconds of one run. The time of other programs does not count. */
function costOf(work: () => unknown): number {
  for (let runs = 1; ; runs *= 3) {
    const before = process.threadCpuUsage();
    for (let run = 0; run < runs; run += 1) attempt(work);
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
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
  const longMs = Math.min(...fewRuns(() => work(long)));
  if (longMs < SURELY_LINEAR_MS) return null;
  // The long runs came first, so the short ones are not slower for lack of compiled code. A short run that another program
  // interrupts looks as long as a long one, so there are more of them.
  if (longMs / Math.min(...fewRuns(() => work(short), SHORT_RUNS)) < CLEARLY_LINEAR) return null;
  let growth = Number.POSITIVE_INFINITY;
  for (let measured = 0; measured < MEASUREMENTS; measured += 1) {
    growth = Math.min(growth, costOf(() => work(long)) / costOf(() => work(short)));
    if (growth <= MOST_GROWTH) return null;
  }
  return growth;
}
