import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { mayBegin, paceOf, type Runner, withOneMore } from '../../../../shared/model/finish-in-time.ts';
import type { Upload } from '../../../../shared/model/upload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Transfers } from '../delivery/transfers.ts';

/** How long a transfer has to run until its speed says something. */
const SPEED_SETTLES_MS = 10_000;
/** How long a change is left to show before the next one. Shorter than the longest hold: see `LONGEST_HOLD_MS`. */
const CHANGE_SETTLES_MS = 10_000;

export interface DeadlineTools {
  transfers: Transfers;
  clock: Clock;
  /** A row's notice is another one now. */
  onDidChangeNotice(id: string): void;
}

/** Keeps what runs on its way to be through before the service gives up on it. The rule is in `finish-in-time.ts`. */
export class DeadlineKeeper {
  readonly #tools: DeadlineTools;
  #changedAt = Number.NEGATIVE_INFINITY;
  #tooSlow: ReadonlySet<string> = new Set();
  /** Queued rows that would be next. */
  #heldBack: ReadonlySet<string> = new Set();

  constructor(tools: DeadlineTools) {
    this.#tools = tools;
  }

  /** Looks how things stand, and holds or releases transfers if need be. */
  check(): void {
    const { transfers, clock } = this.#tools;
    const now = clock.monotonic();
    const { hold, release, tooSlow } = paceOf(this.#runners());
    // What stands alone has no reason to stand.
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

  /** Those of `uploads`, in the order of the queue, that may begin now; the others are noted as held back. */
  admit(uploads: readonly Upload[]): Upload[] {
    let runners = this.#runners();
    const admitted: Upload[] = [];
    for (const upload of uploads) {
      if (!mayBegin(runners, upload.sizeBytes)) break;
      admitted.push(upload);
      runners = withOneMore(runners, upload);
    }
    const before = this.#heldBack;
    this.#heldBack = new Set(uploads.slice(admitted.length).map(({ id }) => id));
    this.#tell(before, this.#heldBack);
    return admitted;
  }

  /** What a person should know about an upload because of this rule. */
  notice(upload: Upload): AppErrorData | null {
    const isHeld = this.#tools.transfers.get(upload.id)?.gate.isHeldBy('deadline') ?? false;
    if (isHeld || (upload.state === 'queued' && this.#heldBack.has(upload.id))) {
      return appError('upload.held-back').toData();
    }
    return upload.state === 'sending' && this.#tooSlow.has(upload.id) ? appError('upload.too-slow').toData() : null;
  }

  /** Tells of those that are in one of the two only. */
  #tell(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    for (const id of before) if (!after.has(id)) this.#tools.onDidChangeNotice(id);
    for (const id of after) if (!before.has(id)) this.#tools.onDidChangeNotice(id);
  }

  #areAllHeld(): boolean {
    return [...this.#tools.transfers.entries()].every(([, { gate }]) => gate.isHeld());
  }

  /** What runs or is held by this rule, in the order of its beginning. */
  #runners(): Runner[] {
    const now = this.#tools.clock.monotonic();
    return [...this.#tools.transfers.entries()].flatMap(([id, live]) => {
      const isHeld = live.gate.isHeldBy('deadline');
      if (!live.isReading || live.isEnding() || live.gate.isHeldBy('person') || live.gate.isHeldBy('schedule'))
        return [];
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
