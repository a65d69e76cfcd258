import { htmlToText, WORDS } from '../../../../shared/api/html-text.ts';
import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { EditValue } from '../../../../shared/contract/edits.ts';
import { type AnyOp, isDeletion } from '../../../../shared/model/edits/collection-ops.ts';
import { isFileOp } from '../../../../shared/model/edits/edit-ops.ts';
import type { Net } from '../../../../shared/model/edits/fold.ts';
import { tookNoEffect } from '../../api/classify.ts';
import { type Attempt, momentOf, sendInOrder, whileOutdated } from './send-in-order.ts';
import {
  keepOthersOpen,
  type OpResult,
  type Replay,
  type ReplayTools,
  type Subject,
  type SubjectReplay,
} from './subject.ts';
import type { MayBeOwn } from './unanswered.ts';

/**
 * Changes one item or collection to the wanted values: reads it, compares in canonical form, sends only differences, reads it
 * again and verifies. A value that someone else changed is never overwritten: its op asks the user. A lost reply is resolved by
 * reading again. Throws only when nothing was sent; later failures are in `failure`. `results`: of ops that are not in `net`.
 */
export function replaySubject<Op extends AnyOp, Read, Values>(
  subject: Subject<Op, Read, Values>,
  { net, results }: { net: readonly (Net<Op> & MayBeOwn)[]; results: ReadonlyMap<number, OpResult> },
  tools: ReplayTools,
): Promise<SubjectReplay<Read>> {
  return whileOutdated(() => new SubjectAttempt(subject, net, new Map(results), tools).run());
}

/** One attempt to change one item or collection. */
class SubjectAttempt<Op extends AnyOp, Read, Values> {
  readonly #subject: Subject<Op, Read, Values>;
  readonly #net: readonly (Net<Op> & MayBeOwn)[];
  readonly #results: Map<number, OpResult>;
  readonly #tools: ReplayTools;

  constructor(
    subject: Subject<Op, Read, Values>,
    net: readonly (Net<Op> & MayBeOwn)[],
    results: Map<number, OpResult>,
    tools: ReplayTools,
  ) {
    this.#subject = subject;
    this.#net = net;
    this.#results = results;
    this.#tools = tools;
  }

  async run(): Promise<Attempt<SubjectReplay<Read>>> {
    const subject = this.#subject;
    await subject.prepare?.(this.#net);
    const readAt = momentOf(this.#tools.clock);
    const before = await subject.read(this.#net);
    if (before === null) return this.#ended(null, null, this.#noteGone(this.#net));
    const theirs = subject.valuesOf(before);
    const { wanted, notApplied } = this.#judgeAll(theirs);
    if (wanted.length === 0) return this.#ended(before, before, notApplied);
    const { sent, failure, outdated } = await sendInOrder(subject.writesOf(wanted, before), this.#results, {
      ...this.#tools,
      readAt,
      tookEffect: (error, ops) => this.#tookEffect(error, ops),
      reasonOf: async (error, ops) => ({
        error: await this.#exactError(error, ops),
        tookNoEffect: tookNoEffect(error) && ops.every(isCompared),
      }),
    });
    if (outdated !== null) return { ...this.#ended(before, before, notApplied), outdated };
    const isDeleted = wanted.some(({ op }) => isDeletion(op));
    const after = isDeleted ? null : await this.#readAfter();
    if (after === 'unreadable') {
      for (const each of sent) this.#set(each, { outcome: 'sent', wrote: subject.intendedOf(each.op, theirs) });
      return this.#ended(before, subject.withSent(before, sent), failure ?? notApplied, true);
    }
    for (const each of sent) if (!isCompared(each)) this.#set(each, { outcome: 'sent' });
    if (after === null) {
      const lost = isDeleted ? [] : wanted.filter((each) => isCompared(each) || !sent.includes(each));
      const gone = lost.length === 0 ? null : this.#noteGone(lost);
      return this.#ended(before, null, gone ?? failure ?? notApplied);
    }
    const late = this.#verify(sent.filter(isCompared), theirs, subject.valuesOf(after));
    return this.#ended(before, after, failure ?? late ?? notApplied);
  }

  #ended(
    before: Read | null,
    after: Read | null,
    failure: Replay['failure'],
    isUnread = false,
  ): Attempt<SubjectReplay<Read>> {
    return { replay: { before, after, isUnread, results: this.#results, failure }, outdated: null };
  }

  #set({ positions }: Net<Op>, result: OpResult): void {
    const own = positions.at(-1);
    if (own !== undefined) this.#results.set(own, result);
  }

  /** Returns the ops to send; the results of the other ops are in `results` and in `notApplied`. */
  #judgeAll(theirs: Values): { wanted: Net<Op>[]; notApplied: Replay['failure'] } {
    const wanted: Net<Op>[] = [];
    const reverted: number[] = [];
    for (const each of this.#net) {
      const isAccepted = !isDeletion(each.op) && this.#tools.accepted.has(each.positions.at(-1) ?? -1);
      const result = isAccepted ? this.#judgeAccepted(each, theirs) : this.#judge(each, theirs);
      if (result === null) wanted.push(each);
      else if (result === 'unchanged') reverted.push(...each.positions);
      else {
        this.#set(each, result);
        if (result.asks === true) keepOthersOpen(each, this.#results);
      }
    }
    return { wanted, notApplied: this.#failureOfUnchanged(reverted) };
  }

  /** Returns the result of an op without sending anything; null when the op is to be sent. */
  #judge(each: Net<Op> & MayBeOwn, theirs: Values): OpResult | null {
    const subject = this.#subject;
    const { op, mayBeOwn } = each;
    switch (subject.netVerdictOf(each, theirs)) {
      case 'send':
        return null;
      case 'same': {
        const isOwn = mayBeOwn && subject.isOfAnother?.(op, theirs) !== true;
        return { outcome: isOwn ? 'sent' : 'same', wrote: subject.valueOf(op, theirs) };
      }
      case 'conflict': {
        const since = subject.changesSince?.(op, theirs);
        return {
          outcome: null,
          asks: true,
          theirs: subject.valueOf(op, theirs),
          op,
          seen: subject.rebased(op, theirs),
          ...(since === undefined ? {} : { since }),
        };
      }
      case 'passed':
        return { outcome: null, asks: true, op, seen: subject.rebased(op, theirs) };
    }
  }

  /**
   * Returns the result of an op whose request the library accepted in an earlier attempt, which ended before it read the result.
   * The op is not sent again. As in `#verify`, another value is from someone else, who replaced ours; the old value means that the
   * library did not apply ours, or that someone changed it back.
   */
  #judgeAccepted(each: Net<Op> & MayBeOwn, theirs: Values): OpResult | 'unchanged' | null {
    const { op } = each;
    if (isFileOp(op)) return { outcome: 'sent' };
    const verdict = this.#subject.verdictOf(op, theirs);
    if (verdict === 'send') return 'unchanged';
    if (verdict === 'passed') return this.#judge(each, theirs);
    return { outcome: 'sent', wrote: this.#writtenValue(op, theirs, theirs, verdict === 'same') };
  }

  /** Compares the sent values with those of the library now. Returns the failure of values that did not change. */
  #verify(sent: readonly Net<Op>[], before: Values, after: Values): Replay['failure'] {
    const { verdictOf, canonicalOf } = this.#subject;
    const unchanged: number[] = [];
    for (const each of sent) {
      const { op } = each;
      const isThere = verdictOf(op, after) === 'same';
      if (!isThere && canonicalOf(op, before) === canonicalOf(op, after)) unchanged.push(...each.positions);
      else this.#set(each, { outcome: 'sent', wrote: this.#writtenValue(op, before, after, isThere) });
    }
    return this.#failureOfUnchanged(unchanged);
  }

  /**
   * Returns the value that a request wrote, which an undo reverts. If the library has another value, someone wrote it right after,
   * unless it is our HTML in the library's own form.
   */
  #writtenValue(op: Op, before: Values, after: Values, isThere: boolean): EditValue {
    const value = this.#subject.valueOf(op, after);
    return isThere || isRewritten(op, value) ? value : this.#subject.intendedOf(op, before);
  }

  /** Returns the failure of values that the library accepted but does not have: their ops stay open. */
  #failureOfUnchanged(positions: readonly number[]): Replay['failure'] {
    for (const position of positions) this.#results.delete(position);
    return positions.length === 0 ? null : { error: appError('edit.not-applied'), positions };
  }

  /** Notes the results for an item or collection that does not exist any more: a deletion is done, any other op fails. */
  #noteGone(net: readonly Net<Op>[]): Replay['failure'] {
    const [only] = net;
    if (only !== undefined && isDeletion(only.op)) {
      this.#set(only, { outcome: 'same' });
      return null;
    }
    const positions = net.flatMap((each) => each.positions);
    for (const position of positions) this.#results.delete(position);
    return { error: appError(this.#subject.goneCode), positions };
  }

  /** Returns whether a request without a reply took effect: the library has all values. */
  async #tookEffect(error: AppError, ops: readonly Net<Op>[]): Promise<boolean> {
    const subject = this.#subject;
    if (tookNoEffect(error) || this.#tools.signal.aborted) return false;
    try {
      const read = await subject.read(ops);
      if (read === null) return ops.every(({ op }) => isDeletion(op));
      const now = subject.valuesOf(read);
      return ops.every(({ op }) => subject.verdictOf(op, now) === 'same');
    } catch {
      // The caller reports the error of the request, which is more exact than that of this check.
      return false;
    }
  }

  /**
   * Returns the exact reason of a refusal. Some libraries answer 404 when a permission is missing: then the item or collection can
   * still be read.
   */
  async #exactError(error: AppError, ops: readonly Net<Op>[]): Promise<AppError> {
    const { goneCode, read, reasonOfRefusal } = this.#subject;
    const isForbidden = error.code === 'api.forbidden';
    if (isForbidden ? reasonOfRefusal === undefined : error.code !== 'api.not-found') return error;
    const now = await read([]).catch(() => 'unreadable' as const);
    if (now === 'unreadable') return error;
    const options = { details: error.details ?? {}, cause: error };
    if (now === null) return appError(goneCode, options);
    const refused = isForbidden ? error : appError('api.forbidden', options);
    return reasonOfRefusal === undefined ? refused : reasonOfRefusal(refused, now, ops);
  }

  /** Reads the item or collection after the requests. After a failed read the sent values stay unverified. */
  async #readAfter(): Promise<Read | null | 'unreadable'> {
    try {
      return await this.#subject.read(this.#net);
    } catch (error) {
      if (this.#tools.signal.aborted) throw error;
      return 'unreadable';
    }
  }
}

/** Returns whether the effect of an op is seen by comparing values after its request. */
function isCompared({ op }: { op: AnyOp }): boolean {
  return !isDeletion(op) && !isFileOp(op);
}

/** Returns whether a value is the HTML of an op, stored by the library in its own form. */
function isRewritten(op: AnyOp, value: EditValue): boolean {
  if (!('field' in op) || op.field !== 'description') return false;
  if (typeof op.mine !== 'string' || typeof value !== 'string') return false;
  return htmlToText(op.mine, WORDS) === htmlToText(value, WORDS);
}
