import type { UploadState } from '../../../../shared/model/upload-states.ts';
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

/** States that go on while the queue is paused: the bytes are delivered, the service is at work. */
const FOLLOWED = ['processing', 'publishing'] as const;
/** States that go on by themselves once the queue works. */
const RESTLESS = ['queued', 'preparing', 'sending', 'finishing', 'processing', 'publishing', 'waiting'] as const;

/** Tells when no upload can go on by itself. See `Engine.whenUploadsIdle`. */
export class QueueIdle {
  readonly #tools: IdleTools;
  readonly #isAnybodyAtWork: () => boolean;
  readonly #waiters = new Set<() => void>();

  /** `isAnybodyAtWork`: whether something is under way in this process, whatever the rows say. */
  constructor(tools: IdleTools, isAnybodyAtWork: () => boolean) {
    this.#tools = tools;
    this.#isAnybodyAtWork = isAnybodyAtWork;
  }

  when(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.add(resolve);
      this.look();
    });
  }

  /** Called whenever something may have come to rest; cheap when nobody waits for that. */
  look(): void {
    if (this.#waiters.size === 0 || this.#isAnybodyAtWork()) return;
    const { journal, pacing } = this.#tools;
    const states = pacing.isClosedForGood ? FOLLOWED : RESTLESS;
    const restless = states.reduce((sum, state) => sum + journal.counts[state], 0) + journal.followUps.pending;
    if (restless > 0 && !this.#allNeedAPerson(states)) return;
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }

  /** True when all that is left waits for a person: a sign-in, or a locked keychain. */
  #allNeedAPerson(states: readonly UploadState[]): boolean {
    const { journal, breakers, followUpRows } = this.#tools;
    const closed = breakers.sitesForAPerson();
    if (closed.length === 0 || followUpRows.isOpen(closed)) return false;
    // What is delivered is followed with the same sign-in, so it does not go on without one either.
    return !journal.hasOpen(states, closed);
  }
}
