/** The minimum time between two announcements: a sooner one would interrupt the screen reader. */
export const ANNOUNCE_EVERY_MS = 2000;
/** The maximum number of sentences in one announcement; the oldest are dropped, because newer sentences replace their content. */
const MOST_SENTENCES = 4;

interface AnnouncerOptions {
  /** Hands a text to the screen reader. */
  say: (text: string) => void;
  /** Monotonic milliseconds. */
  now: () => number;
  /** Runs a function once after some milliseconds. */
  later: (work: () => void, ms: number) => void;
}

/**
 * Returns a function that announces a sentence: immediately when the last announcement was two or more seconds ago, otherwise
 * later, together with all sentences that arrived in the meantime, each of them once.
 */
export function createAnnouncer({ say, now, later }: AnnouncerOptions): (sentence: string) => void {
  let waiting: string[] = [];
  let lastAt = Number.NEGATIVE_INFINITY;
  let isScheduled = false;
  let last = '';
  const flush = () => {
    isScheduled = false;
    lastAt = now();
    const text = waiting.join(' ');
    waiting = [];
    // Screen readers ignore a live region whose text does not change, so a repeated sentence gets a trailing blank.
    last = text === last ? `${text}\u00a0` : text;
    say(last);
  };
  return (sentence) => {
    waiting = [...waiting.filter((each) => each !== sentence), sentence].slice(-MOST_SENTENCES);
    if (isScheduled) return;
    const wait = lastAt + ANNOUNCE_EVERY_MS - now();
    if (wait <= 0) {
      flush();
      return;
    }
    isScheduled = true;
    later(flush, wait);
  };
}
