import type { Ask } from '../../../shared/contract/desktop.ts';

/** What reached the app from outside, until the window takes it. */
export interface Asks {
  add(ask: Ask): void;
  take(): Ask[];
}

/** More asks than this come from a program, not from a person. */
const MOST_ASKS = 20;

/** Collects asks; `announce` is called with each. */
export function createAsks(announce: () => void): Asks {
  let waiting: Ask[] = [];
  return {
    add(ask) {
      waiting = [...waiting, ask].slice(-MOST_ASKS);
      announce();
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
