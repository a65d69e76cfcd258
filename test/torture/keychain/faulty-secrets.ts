import type { Clock } from '../../../electron/engine/ports/clock.ts';
import type { SystemSecrets } from '../../../electron/engine/ports/system/keytar-process.ts';

/**
 * How a keychain fails: `locked` answers like a locked Secret Service (finds nothing, writes nothing), `unavailable`
 * fails every call, `hangs` answers no call until the fault is over.
 */
export const KEYCHAIN_FAULTS = ['locked', 'unavailable', 'hangs'] as const;
type KeychainFault = (typeof KEYCHAIN_FAULTS)[number];

/** `once`: one call only. `for-a-while`: from that call on, for `FAULT_LASTS_MS`. */
export const FAULT_MODES = ['once', 'for-a-while'] as const;
type FaultMode = (typeof FAULT_MODES)[number];

export interface PlannedFault {
  kind: KeychainFault;
  mode: FaultMode;
  /** The first failing call. */
  nth: number;
}

/** Longer than the timeout of a call, and than several attempts of a queue. */
const FAULT_LASTS_MS = 40_000;

const LOCK_TEST = 'lock-test';

/** The computer's keychain as its native library offers it; it outlives the processes that use it. */
export class FaultySecrets implements SystemSecrets {
  readonly entries = new Map<string, string>();
  /** Every token that was ever to be stored. */
  readonly seen = new Set<string>();
  calls = 0;
  readonly #clock: Clock;
  readonly #plan: PlannedFault;
  #hitAt: number | null = null;

  constructor(clock: Clock, plan: PlannedFault) {
    this.#clock = clock;
    this.#plan = plan;
  }

  /** Whether it still contains a sign-in. */
  get isEmpty(): boolean {
    return [...this.entries.keys()].every((account) => account === LOCK_TEST);
  }

  get wasHit(): boolean {
    return this.#hitAt !== null;
  }

  /**
   * Whether nothing can be stored now. A single hanging call blocks all later ones, because calls run one after the
   * other.
   */
  get isFailing(): boolean {
    return this.#isWithinFault && (this.#plan.mode === 'for-a-while' || this.#plan.kind === 'hangs');
  }

  get #isWithinFault(): boolean {
    return this.#hitAt !== null && this.#clock.monotonic() < this.#hitAt + FAULT_LASTS_MS;
  }

  getPassword(_service: string, account: string): Promise<string | null> {
    return this.#call(
      () => this.entries.get(account) ?? null,
      () => null,
    );
  }

  setPassword(_service: string, account: string, password: string): Promise<void> {
    // The probe of the keychain stores a text that is not a secret.
    if (account !== LOCK_TEST) this.seen.add(password.replace(/^\d+\./, ''));
    return this.#call(
      () => void this.entries.set(account, password),
      () => {
        throw new Error('Cannot create an item in a locked collection');
      },
    );
  }

  deletePassword(_service: string, account: string): Promise<boolean> {
    return this.#call(
      () => this.entries.delete(account),
      () => false,
    );
  }

  async #call<T>(effect: () => T, whenLocked: () => T): Promise<T> {
    this.calls += 1;
    const isFirst = this.#hitAt === null && this.calls === this.#plan.nth;
    if (isFirst) this.#hitAt = this.#clock.monotonic();
    const isHitAgain = this.#plan.mode === 'for-a-while' && this.#isWithinFault;
    if (!isFirst && !isHitAgain) return effect();
    switch (this.#plan.kind) {
      case 'locked':
        return whenLocked();
      case 'unavailable':
        throw new Error('Could not connect: Connection refused');
      case 'hangs':
        return new Promise((resolve) => {
          const leftMs = (this.#hitAt ?? 0) + FAULT_LASTS_MS - this.#clock.monotonic();
          this.#clock.schedule(leftMs, () => resolve(effect()));
        });
    }
  }
}
