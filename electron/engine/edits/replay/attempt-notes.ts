import { toAppError } from '../../../../shared/contract/app-error.ts';
import { whenSent } from '../../../../shared/model/edits/edit-ops.ts';
import type { SentCreation } from '../../library/collections/create-collection-once.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { type EditRecord, withBegunItems, withSentCreations } from '../journal/edit-row.ts';
import type { EditStore } from '../journal/edit-store.ts';
import type { OpenOp } from './record-replay.ts';
import type { Replay } from './subject.ts';
import { withoutUnanswered } from './unanswered.ts';

/**
 * Stores the progress of an attempt to send edits while it runs, so that the next attempt can read it after a failure or a crash.
 */
export class AttemptNotes {
  readonly #tools: { store: EditStore; clock: Clock; logger: Logger };

  constructor(tools: { store: EditStore; clock: Clock; logger: Logger }) {
    this.#tools = tools;
  }

  /**
   * Before a request: stores that it may send the values of these records. If the library has one of them after a crash, the
   * next attempt knows that this computer may have written it. `serverNow`: the time of the library in ms since 1970.
   */
  sending(records: readonly EditRecord[], serverNow: number): void {
    const { store, clock } = this.#tools;
    const now = clock.now();
    store.transaction(() => {
      for (const { seq } of records) {
        // Read again: an earlier request of the same attempt may be noted in it.
        const before = store.get(seq);
        if (before === null) continue;
        const { sentAt } = before;
        const ops = withTimes(before.ops, sentAt !== null, serverNow);
        if (sentAt === null || ops !== before.ops) store.save({ ...before, ops, sentAt: sentAt ?? now });
      }
    });
  }

  /**
   * Before a request to create a collection: stores the attempt. After a crash, a new collection in the parent is known to be
   * from this attempt.
   */
  creating(records: readonly EditRecord[], attempts: readonly SentCreation[]): void {
    const { store, clock } = this.#tools;
    const now = clock.now();
    store.transaction(() => {
      for (const before of records) {
        store.save({ ...before, ops: withSentCreations(before.ops, attempts), sentAt: before.sentAt ?? now });
      }
    });
  }

  /** Before a deletion of a collection: stores the items that the user confirmed, for the next attempt. */
  begunDeleting(records: readonly EditRecord[], items: readonly string[]): void {
    const { store } = this.#tools;
    store.transaction(() => {
      for (const { seq } of records) {
        const before = store.get(seq);
        if (before !== null) store.save({ ...before, ops: withBegunItems(before.ops, items) });
      }
    });
  }

  /** After a read of the item: clears the marks of dropped edits whose effect on the library is now known. */
  read({ failure }: Replay, dropped: readonly EditRecord[]): void {
    const { store } = this.#tools;
    const known = failure === null ? withoutUnanswered(dropped) : [];
    if (known.length === 0) return;
    store.transaction(() => {
      for (const record of known) store.save(record);
    });
  }

  /**
   * After the library accepted a request: stores that fact. If the library does not have the value after a crash, someone changed
   * it back, so it is not sent again.
   */
  accepted(open: readonly OpenOp[], positions: readonly number[]): void {
    const { store } = this.#tools;
    const meant = positions.flatMap((position) => open[position] ?? []);
    store.transaction(() => {
      for (const seq of new Set(meant.map((each) => each.seq))) {
        const before = store.get(seq);
        if (before === null || before.ops === null) continue;
        const isMeant = (index: number) => meant.some((each) => each.seq === seq && each.index === index);
        const ops = before.ops.map((stored, index) => (isMeant(index) ? { ...stored, isAccepted: true } : stored));
        store.save({ ...before, ops });
      }
    });
    this.syncSoon();
  }

  /**
   * Makes the disk store accepted requests, and does not wait for it. Otherwise the next attempt after a power cut would send
   * accepted values again, over values that someone wrote since.
   */
  syncSoon(): void {
    const { store, logger } = this.#tools;
    store.whenDurable().catch((error: unknown) => {
      // The next request that changes something waits for the disk, and fails with this error.
      logger.warn('edit.not-on-disk', { error: toAppError(error).toData() });
    });
  }

  /** The library refused to create a collection: forgets this attempt. `earlier`: the attempts before it that may have created it. */
  notCreated(records: readonly EditRecord[], earlier: readonly SentCreation[]): void {
    const { store } = this.#tools;
    store.transaction(() => {
      for (const before of records) {
        const sentAt = earlier.length === 0 ? null : before.sentAt;
        store.save({ ...before, ops: withSentCreations(before.ops, earlier), sentAt });
      }
    });
  }
}

/** Returns the ops of a record; the open ones get the time at which a request that starts now can take effect. */
function withTimes(ops: EditRecord['ops'], isRepeated: boolean, serverNow: number): EditRecord['ops'] {
  const timed = ops?.map((stored) => {
    const op = stored.outcome === null ? whenSent(stored.op, isRepeated, serverNow) : stored.op;
    return op === stored.op ? stored : { ...stored, op };
  });
  return timed?.some((each, index) => each !== ops?.[index]) ? timed : ops;
}
