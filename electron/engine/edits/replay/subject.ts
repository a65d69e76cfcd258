import type { AppError } from '../../../../shared/contract/app-error.ts';
import type { EditValue } from '../../../../shared/contract/edits.ts';
import { type AnyOp, isDeletion } from '../../../../shared/model/edits/collection-ops.ts';
import type { Net } from '../../../../shared/model/edits/fold.ts';
import type { Difference } from '../../../../shared/model/edits/seen-item.ts';
import type { Verdict } from '../../../../shared/model/edits/verdicts.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OpOutcome } from '../journal/edit-row.ts';
import type { Write } from './send-in-order.ts';
import { type MayBeOwn, type OtherBases, withOtherBases } from './unanswered.ts';

/** The result of a replay for one op. `asks` without `theirs`: its publish time has passed. */
export interface OpResult {
  outcome: OpOutcome | null;
  asks?: boolean;
  theirs?: EditValue;
  wrote?: EditValue;
  /** If the op asks and represents several ops on one value: the op with the base of the first of them. */
  op?: AnyOp;
  /** If the op asks: the op with the library's current value as its base. */
  seen?: AnyOp;
  /** If a deletion of an item asks: the changes since the user's decision. */
  since?: readonly Difference[];
}

/** The result of a replay of the ops of one item or collection. */
export interface Replay {
  /** By the position of the op. An op without a result is still open. */
  results: Map<number, OpResult>;
  /** Why ops were not sent, and their positions; null: none failed. `tookNoEffect`: the library certainly has none of them. */
  failure: { error: AppError; positions: readonly number[]; tookNoEffect?: boolean } | null;
}

/** The result of a replay that read its item or collection. */
export interface SubjectReplay<Read> extends Replay {
  /** The item or collection before the requests; null: the library did not have it. */
  before: Read | null;
  /** The item or collection after the requests; null: the library does not have it any more. */
  after: Read | null;
  /** It could not be read after the requests: `after` is `before` with the sent values. */
  isUnread?: boolean;
}

export interface ReplayTools {
  client: SiteClient;
  signal: AbortSignal;
  /**
   * Called before each request that changes something, with the positions of the ops whose values it sends; the records of these ops
   * are durable before the request.
   */
  onSending(positions: readonly number[]): void;
  /** The positions of ops that an earlier attempt may have sent: the library may have their values. */
  sent: ReadonlySet<number>;
  /** By the position of an op: values that the library may have instead of its base. */
  otherBases: ReadonlyMap<number, OtherBases>;
  /** The positions of ops whose requests the library accepted in an earlier attempt, which ended before it read the result. */
  accepted: ReadonlySet<number>;
  /** Called when the library has accepted a request, with the positions of the ops whose values it sent. */
  onAccepted(positions: readonly number[]): void;
  /** The clock of this computer. */
  clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** How a replay reads, compares and changes one item or collection. `Read`: as the library returns it; `Values`: as edits see it. */
export interface Subject<Op extends AnyOp, Read, Values> {
  /** The code of the error of edits when the library does not have the item or collection. */
  readonly goneCode: 'edit.item-gone' | 'edit.collection-gone';
  /** Makes checks that can take longer than compared values may be sent: they come before the comparison. */
  prepare?(net: readonly Net<Op>[]): Promise<void>;
  /** Reads the values that these ops change; null: the library does not have the item or collection. */
  read(ops: readonly Net<Op>[]): Promise<Read | null>;
  valuesOf(read: Read): Values;
  verdictOf(op: Op, theirs: Values): Verdict;
  netVerdictOf(each: Net<Op>, theirs: Values): Verdict;
  /** Returns the value that an op changes; null for the item or collection as a whole. */
  valueOf(op: Op, values: Values): EditValue;
  /** Returns the form in which the value that an op changes is compared. */
  canonicalOf(op: Op, values: Values): string;
  /** Returns the value that the op wants, for when the library's form of it is unknown. */
  intendedOf(op: Op, before: Values): EditValue;
  /** Returns the op with the present value as its base. */
  rebased(op: Op, theirs: Values): Op;
  /** Returns whether someone else wrote the wanted value: no request for the op can have written it. */
  isOfAnother?(op: Op, theirs: Values): boolean;
  /** Returns the changes since the decision about an op on the whole item; undefined: unknown. */
  changesSince?(op: Op, theirs: Values): readonly Difference[] | undefined;
  /** Returns the requests, in an order in which each makes the next one possible. */
  writesOf(wanted: readonly Net<Op>[], before: Read): Write<Net<Op>>[];
  /** Returns the item or collection with the values of these ops. */
  withSent(before: Read, sent: readonly Net<Op>[]): Read;
  /** Returns why the library refused a request (`api.forbidden`). */
  reasonOfRefusal?(error: AppError, now: Read, ops: readonly Net<Op>[]): Promise<AppError>;
}

/**
 * Returns the ops that remain of those of one item or collection, and the results of the others: a later op on the same value
 * replaces them, or they cancel each other, and the library has their value already.
 */
export function netOf<Op extends AnyOp, Each extends Net<Op>>(
  ops: readonly Op[],
  coalesce: (ops: readonly Op[], sent: ReadonlySet<number> | null) => readonly Each[],
  { sent, otherBases }: Pick<ReplayTools, 'sent' | 'otherBases'>,
): { net: (Each & MayBeOwn)[]; results: Map<number, OpResult> } {
  const mayBeChanged = sent.size > 0 || otherBases.size > 0;
  const net = withOtherBases<Op, Each>(coalesce(ops, mayBeChanged ? sent : null), otherBases);
  const kept = new Set(net.flatMap(({ positions }) => positions.at(-1) ?? []));
  const replaced = [...ops.keys()].filter((position) => !kept.has(position));
  return { net, results: new Map(replaced.map((position) => [position, { outcome: 'superseded' }])) };
}

/** Removes the results of ops that a deletion replaces if it asks or was stopped: when its user keeps the item, they are sent. */
export function keepOthersOpen(
  { op, positions }: { op: AnyOp; positions: readonly number[] },
  results: Map<number, OpResult>,
): void {
  if (!isDeletion(op)) return;
  for (const position of positions.slice(0, -1)) results.delete(position);
}
