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
 * Decides when data is sent, and how fast: the bandwidth limit with its timetable, and the timed pause. When
 * sending is not allowed, running transfers are put on hold, and aborted when that lasts too long, like any pause.
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

  /** Returns whether an upload may start. */
  get mayBegin(): boolean {
    const { pause } = this.#tools;
    return !pause.isIndefinite && !this.#isHolding();
  }

  /** Returns why nothing is sent although there is no error; null when sending is allowed. */
  notice(): AppErrorData | null {
    const { pause } = this.#tools;
    if (pause.until !== null) return appError('upload.paused-until', { details: { until: pause.until } }).toData();
    if (this.#limit.bytesPerSecond !== 0) return null;
    return appError('upload.limit-zero', { details: { until: this.#limit.until } }).toData();
  }

  /** Whether sending stays off until the user changes a setting. */
  get isClosedIndefinitely(): boolean {
    const { pause } = this.#tools;
    if (pause.isIndefinite) return true;
    return pause.until === null && this.#limit.bytesPerSecond === 0 && this.#limit.until === null;
  }

  /** Applies the current time and settings. */
  apply(): void {
    const { transfers, sidecars, limit, pause } = this.#tools;
    pause.check();
    const before = this.#limit.bytesPerSecond;
    this.#limit = this.#currentLimit();
    if (this.#limit.bytesPerSecond !== before) limit.set(this.#limit.bytesPerSecond);
    for (const [id] of transfers.entries()) this.applyTo(id);
    sidecars.setHeld(this.#isHolding());
  }

  /** Applies limit and pause to a transfer that starts. */
  applyTo(id: string): void {
    const { transfers } = this.#tools;
    if (this.#isHolding()) transfers.hold(id, 'schedule');
    else transfers.release(id, 'schedule');
  }

  /** Returns the milliseconds until the next change of the limit or the pause; null when there is none. */
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
