import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { type ActiveLimit, activeLimit } from '../../../../shared/model/timetable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BandwidthLimit } from '../delivery/sender/bandwidth-limit.ts';
import type { SidecarTransfers } from '../delivery/sidecar-transfers.ts';
import type { Transfers } from '../delivery/transfers.ts';
import type { UploadSettings } from '../journal/upload-settings.ts';
import type { QueuePause } from './queue-pause.ts';

export interface PacingTools {
  settings: UploadSettings;
  pause: QueuePause;
  transfers: Transfers;
  sidecars: SidecarTransfers;
  limit: BandwidthLimit;
  clock: Clock;
}

/**
 * When anything is sent, and how fast: the bandwidth limit and its timetable, and the pause until an instant. What runs
 * when nothing may be sent is held, and given up when that lasts too long, like any pause.
 */
export class Pacing {
  readonly #tools: PacingTools;
  #limit: ActiveLimit;

  constructor(tools: PacingTools) {
    this.#tools = tools;
    this.#limit = this.#currentLimit();
    tools.limit.set(this.#limit.bytesPerSecond);
    tools.sidecars.setHeld(this.#isHolding());
  }

  get activeLimit(): ActiveLimit {
    return this.#limit;
  }

  /** Whether an upload may begin. */
  get mayBegin(): boolean {
    const { pause } = this.#tools;
    return !pause.isForGood && !this.#isHolding();
  }

  /** Why nothing moves although nothing is wrong; null when it may. */
  notice(): AppErrorData | null {
    const { pause } = this.#tools;
    if (pause.until !== null) return appError('upload.paused-until', { details: { until: pause.until } }).toData();
    if (this.#limit.bytesPerSecond !== 0) return null;
    return appError('upload.limit-zero', { details: { until: this.#limit.until } }).toData();
  }

  /** Whether it stays closed until a person changes something. */
  get isClosedForGood(): boolean {
    const { pause } = this.#tools;
    if (pause.isForGood) return true;
    return pause.until === null && this.#limit.bytesPerSecond === 0 && this.#limit.until === null;
  }

  /** Lets what the clock and the settings say take effect. */
  apply(): void {
    const { transfers, sidecars, limit, pause } = this.#tools;
    pause.check();
    const before = this.#limit.bytesPerSecond;
    this.#limit = this.#currentLimit();
    if (this.#limit.bytesPerSecond !== before) limit.set(this.#limit.bytesPerSecond);
    for (const [id] of transfers.entries()) this.applyTo(id);
    sidecars.setHeld(this.#isHolding());
  }

  /** The same for a transfer that begins. */
  applyTo(id: string): void {
    const { transfers } = this.#tools;
    if (this.#isHolding()) transfers.hold(id, 'schedule');
    else transfers.release(id, 'schedule');
  }

  /** Milliseconds until the clock changes something; null when it never does. */
  nextChangeInMs(): number | null {
    const { clock, pause } = this.#tools;
    const now = clock.now();
    const changes = [pause.until, this.#limit.until].filter((at) => at !== null);
    return changes.length === 0 ? null : Math.max(0, Math.min(...changes) - now);
  }

  #isHolding(): boolean {
    return this.#tools.pause.until !== null || this.#limit.bytesPerSecond === 0;
  }

  #currentLimit(): ActiveLimit {
    return activeLimit(this.#tools.settings.get(), this.#tools.clock.now());
  }
}
