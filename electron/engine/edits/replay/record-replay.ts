import type { MediaItem } from '../../../../shared/api/media.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { retryAfterMsOf, retryWaitMs } from '../../../../shared/model/backoff.ts';
import { fingerprintOf } from '../../../../shared/model/edits/canonical.ts';
import { keyOfAnyOp } from '../../../../shared/model/edits/collection-fold.ts';
import { type AnyOp, isCollectionOp, withServerIds } from '../../../../shared/model/edits/collection-ops.ts';
import { type EditableMedia, editableOf } from '../../../../shared/model/edits/edit-ops.ts';
import { applyOp } from '../../../../shared/model/edits/fold.ts';
import { rebased } from '../../../../shared/model/edits/verdicts.ts';
import { asksToDelete, type EditRecord, editStateOf, isOpenState, type StoredOp } from '../journal/edit-row.ts';
import type { OpResult, Replay, SubjectReplay } from './subject.ts';
import { type OtherBases, otherBasesOf } from './unanswered.ts';

export interface RecordChange {
  before: EditRecord;
  after: EditRecord;
}

/** An open op of records that are sent together. Its index in the list of these ops is its position in the replay. */
export interface OpenOp {
  op: AnyOp;
  otherBases: OtherBases | null;
  seq: number;
  index: number;
}

/** Returns the open ops of records that are sent together. */
export function openOpsOf(records: readonly EditRecord[]): OpenOp[] {
  return records.flatMap(({ seq, ops }) =>
    (ops ?? []).flatMap((stored, index) =>
      stored.outcome === null ? [{ op: stored.op, otherBases: otherBasesOf(stored), seq, index }] : [],
    ),
  );
}

/** Returns an open op with the library's ids in place of local ones. */
export function withIdsOf(open: OpenOp, idOf: (id: string) => string): OpenOp {
  const { op, otherBases } = open;
  const steps = otherBases?.steps.map((step) => withServerIds(step, idOf)) ?? [];
  const moved = otherBases === null ? null : { ...otherBases, steps };
  return { ...open, op: withServerIds(op, idOf), otherBases: moved };
}

/** Returns the positions of open ops that an earlier attempt may have sent. */
export function sentBefore(records: readonly EditRecord[], open: readonly OpenOp[]): ReadonlySet<number> {
  const seqs = new Set(records.filter(({ sentAt }) => sentAt !== null).map(({ seq }) => seq));
  return new Set([...open.keys()].filter((position) => seqs.has(open[position]?.seq ?? -1)));
}

/** Returns the positions of open ops whose requests the library accepted in an earlier attempt. */
export function acceptedOf(records: readonly EditRecord[], open: readonly OpenOp[]): ReadonlySet<number> {
  const isAccepted = ({ seq, index }: OpenOp) =>
    records.find((each) => each.seq === seq)?.ops?.[index]?.isAccepted === true;
  return new Set([...open.keys()].filter((position) => isAccepted(open[position] as OpenOp)));
}

/** Returns, by position, the values that the library may have instead of the base of an open op. */
export function otherBasesByPosition(open: readonly OpenOp[]): ReadonlyMap<number, OtherBases> {
  return new Map(open.flatMap(({ otherBases }, position) => (otherBases === null ? [] : [[position, otherBases]])));
}

/**
 * Returns the records after a replay. If someone else changed the value, an op of an undo is not sent, and any other op asks the
 * user. `behind`: later records of the same item or collection; the values that were sent now are their bases.
 */
export function afterReplay(
  records: readonly EditRecord[],
  open: readonly OpenOp[],
  replay: Replay,
  context: {
    behind: readonly EditRecord[];
    rebase: Rebase | null;
    isUndo(record: EditRecord): boolean;
    /** Whether an earlier attempt may have sent a record. */
    wasSent(record: EditRecord): boolean;
    now: number;
  },
): RecordChange[] {
  const changes = records.map((before) => {
    const ops = [...(before.ops ?? [])];
    for (const [position, { seq, index }] of open.entries()) {
      const result = seq === before.seq ? replay.results.get(position) : undefined;
      const stored = ops[index];
      if (result === undefined || stored === undefined) continue;
      ops[index] = withResult(stored, result, context.isUndo(before));
    }
    const sentAt = replay.failure?.tookNoEffect === true && !context.wasSent(before) ? null : before.sentAt;
    return { before, after: settled({ ...before, ops, sentAt }, context.now) };
  });
  // Also contains ops whose value the library had already: it may store the value in another form, such as the date of a public
  // item.
  const known = endedOps(open, replay, SENT_OR_SAME);
  if (context.rebase === null || known.length === 0) return changes;
  const rebase = context.rebase(known);
  const touched = new Set(known.map(({ op }) => keyOfAnyOp(op)));
  return [...changes, ...context.behind.flatMap((before) => rebasedRecord(before, touched, rebase))];
}

/** Which records a failure concerns. */
export interface FailedRecords {
  seqs: readonly number[];
  /** Whether the failure belongs to these records, because the site answers: it uses up a retry. */
  usesRetry: boolean;
}

/** How long a record waits after a failure of the whole site. Its breaker makes it wait longer if necessary. */
const AFTER_BREAKER_MS = 1000;

/** Returns a record after a failed attempt: tried again after the backoff, or refused. */
export function recordAfterFailure(
  before: EditRecord,
  { kind, error, counted }: { kind: string; error: AppErrorData; counted: FailedRecords },
  now: number,
): EditRecord {
  if (kind !== 'retry') return { ...before, state: 'refused', error, nextAt: null };
  if (!counted.usesRetry) {
    return { ...before, error, nextAt: now + Math.max(AFTER_BREAKER_MS, retryAfterMsOf(error) ?? 0) };
  }
  const retries = before.retries + 1;
  const delayMs = retryWaitMs(retries, error);
  if (delayMs === null) return { ...before, state: 'refused', error, retries, nextAt: null };
  return { ...before, error, retries, nextAt: now + delayMs };
}

/** An op that was sent, or whose value the library had already, with the library's value after it. */
interface SentOp {
  op: AnyOp;
  wrote: OpResult['wrote'];
}

/** Returns the ops that a replay sent. */
export function sentOps(open: readonly OpenOp[], replay: Replay): SentOp[] {
  return endedOps(open, replay, SENT);
}

const SENT: ReadonlySet<StoredOp['outcome']> = new Set(['sent']);
const SENT_OR_SAME: ReadonlySet<StoredOp['outcome']> = new Set(['sent', 'same']);

function endedOps(open: readonly OpenOp[], { results }: Replay, outcomes: ReadonlySet<StoredOp['outcome']>): SentOp[] {
  return open.flatMap(({ op }, position) => {
    const result = results.get(position);
    return result !== undefined && outcomes.has(result.outcome) ? [{ op, wrote: result.wrote }] : [];
  });
}

/**
 * Returns a later op with the values that were sent now as its base, because the user saw them when making it; null when the op
 * does not change. `isTouched`: an op on the same value was sent.
 */
type RebaseOp = (op: AnyOp, isTouched: boolean) => AnyOp | null;

/** Returns the rebase of later ops after these ops were sent. */
export type Rebase = (sent: readonly SentOp[]) => RebaseOp;

/** Returns the rebase of later ops of an item; null when nothing is known about the item. */
export function rebaseOnItem({ before, after }: SubjectReplay<MediaItem>): Rebase | null {
  if (before === null || after === null) return null;
  const was = editableOf(before);
  return (sent) => {
    // The item as it was before, with the sent values. The user has not seen later changes of other users.
    const written = sent.reduce(withWritten, was);
    const old = fingerprintOf(was);
    return (op, isTouched) => {
      if (isCollectionOp(op)) return null;
      return (op.kind === 'delete' ? op.base === old : isTouched) ? rebased(op, written) : null;
    };
  };
}

/** Rebases later ops of a collection on the written values. */
export const rebaseOnCollection: Rebase = (sent) => (op, isTouched) => {
  if (!isTouched || !isCollectionOp(op) || !('mine' in op)) return null;
  const last = sent.findLast((each) => keyOfAnyOp(each.op) === keyOfAnyOp(op));
  if (last === undefined || !('mine' in last.op)) return null;
  const isValue = last.wrote === null || typeof last.wrote === 'string' || typeof last.wrote === 'boolean';
  return { ...op, base: isValue ? last.wrote : last.op.mine } as AnyOp;
};

/** Returns an item with the value that one op wrote. */
export function withWritten(item: EditableMedia, { op, wrote }: SentOp): EditableMedia {
  if (isCollectionOp(op)) return item;
  switch (op.kind) {
    case 'set-field':
      return { ...item, [op.field]: typeof wrote === 'string' ? wrote : op.mine };
    case 'publish':
    case 'unpublish':
      return typeof wrote === 'object' && wrote !== null && 'status' in wrote ? { ...item, ...wrote } : item;
    default:
      return applyOp(item, op) ?? item;
  }
}

function withResult(stored: StoredOp, result: OpResult, isUndo: boolean): StoredOp {
  const { outcome, asks, theirs, wrote, op, seen, since } = result;
  const { lost, isBase } = stored;
  if (asks === true && isUndo) return { op: stored.op, outcome: 'left', theirs: theirs ?? null };
  return {
    op: op ?? stored.op,
    outcome,
    ...(lost === undefined ? {} : { lost }),
    ...(isBase === undefined ? {} : { isBase }),
    ...(asks === true ? { asks } : {}),
    ...(seen === undefined ? {} : { seen }),
    ...(since === undefined ? {} : { since }),
    ...(theirs === undefined ? {} : { theirs }),
    ...(wrote === undefined ? {} : { wrote }),
  };
}

/** Returns a record in the state that its ops require, with the reason and the end of that state. */
export function settled(record: EditRecord, now: number): EditRecord {
  const state = editStateOf(record.ops ?? []);
  return {
    ...record,
    state,
    error: reasonOf({ ...record, state }),
    nextAt: null,
    endedAt: isOpenState(state) ? null : now,
  };
}

function reasonOf(record: Pick<EditRecord, 'state' | 'ops'>): AppErrorData | null {
  const { state } = record;
  if (state === 'conflict') return appError(asksToDelete(record) ? 'edit.deletion-asks' : 'edit.conflict').toData();
  if (state === 'held') return appError('edit.publish-time-passed').toData();
  return state === 'left' ? appError('edit.left-alone').toData() : null;
}

/** Returns a later record's ops with the values that were sent now as their bases; empty when none changes. */
function rebasedRecord(before: EditRecord, touched: ReadonlySet<string>, rebase: RebaseOp): RecordChange[] {
  const ops = before.ops?.map((stored) => {
    const { op, outcome } = stored;
    const moved = outcome === null ? rebase(op, touched.has(keyOfAnyOp(op))) : null;
    if (moved === null) return stored;
    // The library's value is known now, so there are no other bases.
    const { otherBases: _, ...rest } = stored;
    return { ...rest, op: moved };
  });
  const isSame = ops === undefined || ops.every((stored, index) => stored === before.ops?.[index]);
  return isSame ? [] : [{ before, after: { ...before, ops } }];
}
