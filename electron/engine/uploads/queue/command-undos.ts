import { UNDO_COMMAND_MS } from '../../../../shared/model/uploads/cancel-effects.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';

/** How long an undo is accepted, and what was cancelled stays in the library: longer than the screen offers it. */
export const UNDO_KEPT_MS = UNDO_COMMAND_MS + 2000;

/**
 * The uploads that each recent cancel or clear changed, until the time to undo it is over. Kept in memory only: the command
 * itself is durable. After a quit or a crash it can't be undone, and the next process does the clean-up of a cancel.
 */
export class CommandUndos {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #kept = new Map<string, { ids: readonly string[]; forget: () => void }>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns the id that undoes the command; null when it changed nothing. */
  keep(ids: readonly string[]): string | null {
    if (ids.length === 0) return null;
    const undoId = this.#random.uuid();
    const forget = this.#clock.schedule(UNDO_KEPT_MS, () => this.#kept.delete(undoId));
    this.#kept.set(undoId, { ids, forget });
    return undoId;
  }

  /** Returns the uploads of a command, once; none when its time is over or it was undone already. */
  take(undoId: string): readonly string[] {
    const kept = this.#kept.get(undoId);
    kept?.forget();
    this.#kept.delete(undoId);
    return kept?.ids ?? [];
  }

  dispose(): void {
    for (const { forget } of this.#kept.values()) forget();
    this.#kept.clear();
  }
}
