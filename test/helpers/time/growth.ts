/** The number of characters of the shortest text. Each further text is four times as long. */
const SHORT = 6000;
const TIMES = 4;
/** With quadratic time, the second text takes longer than this on any computer. */
const SURELY_LINEAR_MS = 2;
/** Four times the text takes 4 times as long in linear time, and 16 times in quadratic time. Above this, longer texts decide. */
const CLEARLY_LINEAR = 6;
/** The number of longer texts. The last one is 1,024 times as long as the shortest. */
const STEPS = 5;
/**
 * After a text that takes this long, no longer one is measured: linear work on even the longest one takes less, also when the memory
 * for long texts makes each character twenty times as slow.
 */
const LONG_ENOUGH_MS = 1500;
/** Several runs, so that a garbage collection or another program does not count. */
const RUNS = 4;

/**
 * Milliseconds of CPU time of this process for one run: on a busy computer, elapsed time would count other programs, and those
 * interrupt a long run more than a short one. A rejected text is a valid result.
 */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // Only the time matters here.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function shortestMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: RUNS }, () => cpuMs(work)));
}

/**
 * Returns how many times more CPU time a character takes in a long text than in a short one, if that is more than linear; otherwise
 * null. With linear time it is about 1 at each length; with quadratic time it grows as the text does. A text is made longer until
 * both are so far apart that neither the computer's speed nor other programs can make one look like the other: the limit is the
 * square root of the growth of the text.
 */
export function steepGrowth(work: (text: string) => unknown, textOf: (chars: number) => string): number | null {
  const second = textOf(SHORT * TIMES);
  // One run is enough for most texts. It comes first, so that the short runs are not slower for lack of compiled code.
  const firstMs = cpuMs(() => work(second));
  if (firstMs < SURELY_LINEAR_MS) return null;
  const short = textOf(SHORT);
  const shortMs = shortestMs(() => work(short));
  if (firstMs / shortMs < CLEARLY_LINEAR) return null;
  const secondMs = shortestMs(() => work(second));
  if (secondMs < SURELY_LINEAR_MS || secondMs / shortMs < CLEARLY_LINEAR) return null;
  let growth = 1;
  for (let step = 2; step <= STEPS; step += 1) {
    const times = TIMES ** step;
    const text = textOf(SHORT * times);
    const ms = cpuMs(() => work(text));
    growth = ms / shortMs / times;
    if (growth < Math.sqrt(times)) return null;
    if (ms > LONG_ENOUGH_MS) break;
  }
  return growth;
}
