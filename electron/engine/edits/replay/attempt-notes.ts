import { toAppError } from '../../../../shared/contract/app-error.ts';
import { whenSent } from '../../../../shared/model/edits/edit-ops.ts';
import type { SentCreation } from '../../library/create-collection-once.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { type EditRecord, withBegunItems, withSentCreations } from '../journal/edit-row.ts';
import type { EditStore } from '../journal/edit-store.ts';
import type { OpenOp } from './record-replay.ts';
import type { Replay } from './replay-item.ts';
import { withoutUnanswered } from './unanswered.ts';

/** What an attempt to send edits stores while it runs, so that the next one knows it after a failure or a crash. */
export class AttemptNotes {
  readonly #tools: { store: EditStore; clock: Clock; logger: Logger };

  constructor(tools: { store: EditStore; clock: Clock; logger: Logger }) {
    this.#tools = tools;
  }

  /**
   * After a crash, a wanted value of these records that the library has is known to be our own. `serverNow`: the time of the
   * library in ms since 1970.
   */
  sending(records: readonly EditRecord[], serverNow: number): void {
    const { store, clock } = this.#tools;
    const now = clock.now();
    store.transaction(() => {
      for (const { seq } of records) {
        // As it is now: an earlier request of the same attempt may be noted in it.
        const before = store.get(seq);
        if (before === null) continue;
        const { sentAt } = before;
        const ops = withTimes(before.ops, sentAt !== null, serverNow);
        if (sentAt === null || ops !== before.ops) store.save({ ...before, ops, sentAt: sentAt ?? now });
      }
    });
  }

  /** After a crash, a collection that its parent did not contain before is known to be our own. */
  creating(records: readonly EditRecord[], attempts: readonly SentCreation[]): void {
    const { store, clock } = this.#tools;
    const now = clock.now();
    store.transaction(() => {
      for (const before of records) {
        store.save({ ...before, ops: withSentCreations(before.ops, attempts), sentAt: before.sentAt ?? now });
      }
    });
  }

  /** After a failure or a crash, the next attempt knows which items were confirmed. */
  begunDeleting(records: readonly EditRecord[], items: readonly string[]): void {
    const { store } = this.#tools;
    store.transaction(() => {
      for (const { seq } of records) {
        const before = store.get(seq);
        if (before !== null) store.save({ ...before, ops: withBegunItems(before.ops, items) });
      }
    });
  }

  /** What the library has of edits that the user dropped is known once the item was read. */
  read({ failure }: Replay, dropped: readonly EditRecord[]): void {
    const { store } = this.#tools;
    const known = failure === null ? withoutUnanswered(dropped) : [];
    if (known.length === 0) return;
    store.transaction(() => {
      for (const record of known) store.save(record);
    });
  }

  /** After a crash, an accepted value that the library does not have was changed back: it is not lost, and not sent again. */
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
   * What the library has accepted reaches the disk soon: a power cut that takes it back would send it again, over what someone else
   * wrote since. Nothing waits for it.
   */
  syncSoon(): void {
    const { store, logger } = this.#tools;
    store.whenDurable().catch((error: unknown) => {
      // The next request that changes something waits for the disk, and fails with this error.
      logger.warn('edit.not-on-disk', { error: toAppError(error).toData() });
    });
  }

  /** The library refused to create a collection: without an earlier attempt, the next one is a first one. */
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

/** Returns the ops of a record before a request: the open ones know when it can take effect. */
function withTimes(ops: EditRecord['ops'], isRepeated: boolean, serverNow: number): EditRecord['ops'] {
  const timed = ops?.map((stored) => {
    const op = stored.outcome === null ? whenSent(stored.op, isRepeated, serverNow) : stored.op;
    return op === stored.op ? stored : { ...stored, op };
  });
  return timed?.some((each, index) => each !== ops?.[index]) ? timed : ops;
}
