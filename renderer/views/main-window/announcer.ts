/** The least time between two announcements: a screen reader would break off the first one. */
export const ANNOUNCE_EVERY_MS = 2000;
/** The most sentences of one announcement; older ones are dropped, because newer ones replace what they say. */
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
 * Returns a function that announces a sentence: at once when the last announcement is two seconds ago, otherwise together with
 * all sentences of the meantime, each of them once.
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
    // A live region that does not change is not read: a repeated sentence differs by a blank.
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
