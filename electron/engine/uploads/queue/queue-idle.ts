import type { UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import type { FollowUpRows } from '../journal/follow-up-rows.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';
import type { Pacing } from '../pacing/pacing.ts';

export interface IdleTools {
  journal: UploadJournal;
  breakers: SiteBreakers;
  pacing: Pacing;
  followUpRows: FollowUpRows;
}

/** States that continue while the queue is paused: the bytes are delivered, the service is processing. */
const CONTINUING_IN_PAUSE = ['processing', 'publishing'] as const;
/** States that continue without the user while the queue runs. */
const CONTINUING = ['queued', 'preparing', 'sending', 'finishing', 'processing', 'publishing', 'waiting'] as const;

/** Reports when no upload can continue without the user. See `Engine.whenUploadsIdle`. */
export class QueueIdle {
  readonly #tools: IdleTools;
  readonly #isAnythingRunning: () => boolean;
  readonly #waiters = new Set<() => void>();

  /** `isAnythingRunning`: returns whether a job or a command runs in this process; then the queue is not idle. */
  constructor(tools: IdleTools, isAnythingRunning: () => boolean) {
    this.#tools = tools;
    this.#isAnythingRunning = isAnythingRunning;
  }

  when(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.add(resolve);
      this.check();
    });
  }

  /** Called whenever the queue may have become idle; cheap when no caller waits for that. */
  check(): void {
    if (this.#waiters.size === 0 || this.#isAnythingRunning()) return;
    const { journal, pacing } = this.#tools;
    const states = pacing.isClosedIndefinitely ? CONTINUING_IN_PAUSE : CONTINUING;
    const continuing = states.reduce((sum, state) => sum + journal.counts[state], 0) + journal.followUps.pending;
    if (continuing > 0 && !this.#allNeedTheUser(states)) return;
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }

  /** True when all that is left waits for the user: a sign-in, or a locked keychain. */
  #allNeedTheUser(states: readonly UploadState[]): boolean {
    const { journal, breakers, followUpRows } = this.#tools;
    const blocked = breakers.sitesThatNeedTheUser();
    if (blocked.length === 0 || followUpRows.isOpen(blocked)) return false;
    // Polls need the sign-in as well: `states` of these sites wait for the user, also `processing` and `publishing`.
    return !journal.hasOpen(states, blocked);
  }
}
