/** Characters of the shorter text. */
const SHORT = 6000;
const TIMES = 4;
/** Quadratic work over the longer text takes longer on any machine. */
const SURELY_LINEAR_MS = 2;
/** Linear work takes 4 times as long, quadratic 16 times. */
const MOST_GROWTH = 9;
/** The system counts a process's time in steps of up to 10 ms. */
const MEASURED_MS = 60;

/** A collection of garbage in one of them must not count. */
const MEASUREMENTS = 3;

/** Milliseconds of the processor for one run. What other programs take meanwhile does not count. */
function costOf(work: () => unknown): number {
  for (let runs = 1; ; runs *= 3) {
    const before = process.threadCpuUsage();
    for (let run = 0; run < runs; run += 1) attempt(work);
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= MEASURED_MS) return ms / runs;
  }
}

/** A refusal is an answer as well; only its time counts here. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // See above.
  }
}

function elapsedMs(work: () => unknown): number {
  const startedAt = performance.now();
  attempt(work);
  return performance.now() - startedAt;
}

/**
 * How the time of `work` grows when the text is four times as long, where that is more than linear; null otherwise. Growth
 * says more than a time: it is the same on a slow machine.
 */
export function steepGrowth(work: (text: string) => unknown, textOf: (chars: number) => string): number | null {
  const [short, long] = [textOf(SHORT), textOf(SHORT * TIMES)];
  if (elapsedMs(() => work(long)) < SURELY_LINEAR_MS) return null;
  if (elapsedMs(() => work(long)) < SURELY_LINEAR_MS) return null;
  let growth = Number.POSITIVE_INFINITY;
  for (let measured = 0; measured < MEASUREMENTS; measured += 1) {
    growth = Math.min(growth, costOf(() => work(long)) / costOf(() => work(short)));
    if (growth <= MOST_GROWTH) return null;
  }
  return growth;
}
