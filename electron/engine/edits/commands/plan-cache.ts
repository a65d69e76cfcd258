import type { EditSelection } from '../../../../shared/contract/edits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Plan, SelectedItems } from './plan-selection.ts';

/** How long a plan can be applied after its last use. */
const KEPT_MS = 10 * 60_000;
const MOST_PLANS = 4;
/** Items that were read for a selection are used again for another change within this time. */
const FRESH_MS = 60_000;

interface Kept<T> {
  value: T;
  at: number;
}

/** Plans that a screen shows, and the items that were read for them. */
export class PlanCache {
  readonly #clock: Clock;
  readonly #plans = new Map<string, Kept<Plan>>();
  readonly #selections = new Map<string, Kept<Promise<SelectedItems>>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  plan(planId: string): Plan | null {
    return use(this.#plans, planId, this.#clock.monotonic(), KEPT_MS);
  }

  keep(planId: string, plan: Plan): void {
    keep(this.#plans, planId, plan, this.#clock.monotonic());
  }

  /**
   * Returns the items of a selection that was read a moment ago, otherwise reads them. `version`: the state of the copy that
   * lists show now. Items that were read in another state are not the values that the user sees, so they are no base of an edit.
   */
  selection(selection: EditSelection, version: number, read: () => Promise<SelectedItems>): Promise<SelectedItems> {
    const key = JSON.stringify([selection, version]);
    const known = this.#selections.get(key);
    if (known !== undefined && this.#clock.monotonic() - known.at < FRESH_MS) return known.value;
    const reading = read();
    keep(this.#selections, key, reading, this.#clock.monotonic());
    reading.catch(() => this.#selections.delete(key));
    return reading;
  }

  /** Makes the next plan read items again after a change. Existing plans keep the reviewed values. */
  forgetItems(): void {
    this.#selections.clear();
  }
}

function use<T>(map: Map<string, Kept<T>>, key: string, now: number, keptMs: number): T | null {
  const known = map.get(key);
  if (known === undefined || now - known.at > keptMs) return null;
  map.delete(key);
  map.set(key, { value: known.value, at: now });
  return known.value;
}

function keep<T>(map: Map<string, Kept<T>>, key: string, value: T, at: number): void {
  map.set(key, { value, at });
  for (const oldest of map.keys()) {
    if (map.size <= MOST_PLANS) return;
    map.delete(oldest);
  }
}
