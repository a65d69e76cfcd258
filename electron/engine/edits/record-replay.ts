import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { fingerprintOf } from '../../../shared/model/edits/canonical.ts';
import { type EditableMedia, type EditOp, editableOf } from '../../../shared/model/edits/edit-ops.ts';
import { applyOp, keyOfOp } from '../../../shared/model/edits/fold.ts';
import { rebased } from '../../../shared/model/edits/replay.ts';
import { type EditRecord, isOpenState, type StoredOp, stateOf } from './edit-row.ts';
import type { OpResult, Replay } from './replay-entity.ts';

export interface RecordChange {
  before: EditRecord;
  after: EditRecord;
}

/** An open op of some records, in order; its position in the list is the position in a replay. */
export interface OpenOp {
  op: EditOp;
  seq: number;
  index: number;
}

/** Returns the open ops of records that are sent together. */
export function openOpsOf(records: readonly EditRecord[]): OpenOp[] {
  return records.flatMap(({ seq, ops }) =>
    (ops ?? []).flatMap(({ op, outcome }, index) => (outcome === null ? [{ op, seq, index }] : [])),
  );
}

/**
 * Returns the records after a replay. An op of an undo that met a value of someone else is left alone; any other asks the
 * user. `behind`: later records of the same item, which were made on top of what was sent now.
 */
export function afterReplay(
  records: readonly EditRecord[],
  open: readonly OpenOp[],
  replay: Replay,
  context: { behind: readonly EditRecord[]; isUndo(record: EditRecord): boolean; now: number },
): RecordChange[] {
  const changes = records.map((before) => {
    const ops = [...(before.ops ?? [])];
    for (const [position, { seq, index }] of open.entries()) {
      const result = seq === before.seq ? replay.results.get(position) : undefined;
      const stored = ops[index];
      if (result === undefined || stored === undefined) continue;
      ops[index] = withResult(stored, result, context.isUndo(before));
    }
    return { before, after: settled({ ...before, ops }, context.now) };
  });
  const sent = open.flatMap(({ op }, position) => {
    const result = replay.results.get(position);
    return result?.outcome === 'sent' ? [{ op, wrote: result.wrote }] : [];
  });
  if (replay.item === null || replay.before === null || sent.length === 0) return changes;
  const was = editableOf(replay.before);
  // Not the item as it is now: someone else may have changed it since, and the user has not seen that.
  const written = sent.reduce(withWritten, was);
  const touched = new Set(sent.map(({ op }) => keyOfOp(op)));
  return [...changes, ...context.behind.flatMap((before) => rebasedRecord(before, touched, was, written))];
}

/** Returns an item with the value that one op wrote. */
function withWritten(item: EditableMedia, { op, wrote }: { op: EditOp; wrote: OpResult['wrote'] }): EditableMedia {
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
  const { outcome, asks, theirs, wrote, op, seen } = result;
  if (asks === true && isUndo) return { op: stored.op, outcome: 'left', theirs: theirs ?? null };
  return {
    op: op ?? stored.op,
    outcome,
    ...(asks === true ? { asks } : {}),
    ...(seen === undefined ? {} : { seen }),
    ...(theirs === undefined ? {} : { theirs }),
    ...(wrote === undefined ? {} : { wrote }),
  };
}

/** Returns a record in the state that its ops have, with the reason and the end that belong to the state. */
export function settled(record: EditRecord, now: number): EditRecord {
  const state = stateOf(record.ops ?? []);
  return { ...record, state, error: reasonOf(state), nextAt: null, endedAt: isOpenState(state) ? null : now };
}

function reasonOf(state: EditRecord['state']): AppErrorData | null {
  if (state === 'conflict') return appError('edit.conflict').toData();
  if (state === 'held') return appError('edit.publish-time-passed').toData();
  return state === 'left' ? appError('edit.left-alone').toData() : null;
}

/** Later ops on a value that was sent now were made with that value in view: it is their base. */
function rebasedRecord(
  before: EditRecord,
  touched: ReadonlySet<string>,
  was: EditableMedia,
  written: EditableMedia,
): RecordChange[] {
  const old = fingerprintOf(was);
  const ops = before.ops?.map((stored) => {
    const { op, outcome } = stored;
    const isOnTop = op.kind === 'delete' ? op.base === old : touched.has(keyOfOp(op));
    return outcome === null && isOnTop ? { ...stored, op: rebased(op, written) } : stored;
  });
  return ops === undefined ? [] : [{ before, after: { ...before, ops } }];
}
