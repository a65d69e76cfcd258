import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { mayBegin, paceOf, type Runner, withOneMore } from '../../../../shared/model/finish-in-time.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Transfers } from '../delivery/transfers.ts';

/** How long a transfer must run until its speed is meaningful. */
const SPEED_SETTLES_MS = 10_000;
/**
 * The minimum time between changes of holds, so that their effect on the speeds can be measured. Shorter than `LONGEST_HOLD_MS`,
 * so that a hold can end before its transfer is aborted.
 */
const CHANGE_SETTLES_MS = 10_000;

export interface DeadlineTools {
  transfers: Transfers;
  clock: Clock;
  /** Called when the notice of a row changed. */
  onDidChangeNotice(id: string): void;
}

/** Keeps transfers within the deadline of their placeholders. The rule is in `shared/model/finish-in-time.ts`. */
export class DeadlineKeeper {
  readonly #tools: DeadlineTools;
  #changedAt = Number.NEGATIVE_INFINITY;
  #tooSlow: ReadonlySet<string> = new Set();
  /** Queued rows that would be next, but would make a transfer miss its deadline. */
  #waitingForDeadline: ReadonlySet<string> = new Set();

  constructor(tools: DeadlineTools) {
    this.#tools = tools;
  }

  /** Checks the transfers, and puts them on hold or releases them if necessary. */
  check(): void {
    const { transfers, clock } = this.#tools;
    const now = clock.monotonic();
    const { hold, release, tooSlow } = paceOf(this.#runners());
    // If all transfers are on hold, there is no effect to wait for: changes are made at once.
    const isSettled = now - this.#changedAt >= CHANGE_SETTLES_MS || this.#areAllHeld();
    if (isSettled && hold.length + release.length > 0) {
      this.#changedAt = now;
      for (const id of hold) transfers.hold(id, 'deadline');
      for (const id of release) transfers.release(id, 'deadline');
      for (const id of [...hold, ...release]) this.#tools.onDidChangeNotice(id);
    }
    const before = this.#tooSlow;
    this.#tooSlow = new Set(tooSlow);
    this.#tell(before, this.#tooSlow);
  }

  /** Returns those of `uploads`, in queue order, that may start now; the others wait, and `notice` says why. */
  admit(uploads: readonly Upload[]): Upload[] {
    let runners = this.#runners();
    const admitted: Upload[] = [];
    for (const upload of uploads) {
      if (!mayBegin(runners, upload.sizeBytes)) break;
      admitted.push(upload);
      runners = withOneMore(runners, upload);
    }
    const before = this.#waitingForDeadline;
    this.#waitingForDeadline = new Set(uploads.slice(admitted.length).map(({ id }) => id));
    this.#tell(before, this.#waitingForDeadline);
    return admitted;
  }

  /** Returns the notice that this rule holds an upload back, or that it is too slow; null: neither. */
  notice(upload: Upload): AppErrorData | null {
    const isHeld = this.#tools.transfers.get(upload.id)?.gate.isHeldBy('deadline') ?? false;
    if (isHeld || (upload.state === 'queued' && this.#waitingForDeadline.has(upload.id))) {
      return appError('upload.held-back').toData();
    }
    return upload.state === 'sending' && this.#tooSlow.has(upload.id) ? appError('upload.too-slow').toData() : null;
  }

  /** Announces uploads that are in only one of the two sets. */
  #tell(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    for (const id of before) if (!after.has(id)) this.#tools.onDidChangeNotice(id);
    for (const id of after) if (!before.has(id)) this.#tools.onDidChangeNotice(id);
  }

  #areAllHeld(): boolean {
    return [...this.#tools.transfers.entries()].every(([, { gate }]) => gate.isHeld());
  }

  /** The running transfers and the transfers that this rule holds, in the order of their start. */
  #runners(): Runner[] {
    const now = this.#tools.clock.monotonic();
    return [...this.#tools.transfers.entries()].flatMap(([id, live]) => {
      const isHeld = live.gate.isHeldBy('deadline');
      if (!live.isReading || live.isEnding() || live.gate.isHeldBy('user') || live.gate.isHeldBy('schedule')) return [];
      return {
        id,
        ageMs: now - live.placeholderSince,
        remainingBytes: live.sizeBytes - live.sentBytes,
        bytesPerSecond: isHeld ? null : live.speed.bytesPerSecond(),
        isSettled: !isHeld && now - live.movingSince >= SPEED_SETTLES_MS,
        isHeld,
      };
    });
  }
}
