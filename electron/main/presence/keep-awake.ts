import type { Clock } from '../../engine/ports/clock.ts';
import type { SleepLock } from '../ports/sleep-lock.ts';

/** How long the computer stays awake after the last byte. */
const HOLD_MS = 2000;

export interface KeepAwake {
  /** The number of bytes that a kind of transfer moved so far; a change keeps the computer awake. */
  note(kind: 'uploads' | 'downloads', movedBytes: number): void;
  setAllowed(isAllowed: boolean): void;
  /** Whether this desktop honors the lock; null: not known yet. */
  isHonored(): boolean | null;
  release(): void;
}

/** Keeps the computer awake only while bytes move: a queue that waits lets it sleep. */
export function createKeepAwake(lock: SleepLock, clock: Clock, isAllowedAtFirst: boolean): KeepAwake {
  let isAllowed = isAllowedAtFirst;
  const moved = new Map<string, number>();
  let cancel: (() => void) | null = null;
  let end: (() => void) | null = null;
  const release = () => {
    cancel?.();
    cancel = null;
    end?.();
    end = null;
  };
  return {
    note(kind, movedBytes) {
      const before = moved.get(kind);
      const isMoving = before !== undefined && movedBytes !== before;
      moved.set(kind, movedBytes);
      if (!isMoving || !isAllowed) return;
      end ??= lock.hold();
      cancel?.();
      cancel = clock.schedule(HOLD_MS, release);
    },
    setAllowed(next) {
      isAllowed = next;
      if (!next) release();
    },
    isHonored: () => lock.isHonored(),
    release,
  };
}
