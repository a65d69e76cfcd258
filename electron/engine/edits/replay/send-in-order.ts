import { type AppError, toAppError } from '../../../../shared/contract/app-error.ts';

/** One request that changes something, with the net ops that it carries. */
export interface Write<Op> {
  ops: readonly Op[];
  send(): Promise<void>;
}

/** The positions of the ops for which a net op stands; the last one is its own. */
interface Placed {
  readonly positions: readonly number[];
}

interface SendTools<Op> {
  signal: AbortSignal;
  now(): number;
  onSending(positions: readonly number[]): void;
  onAccepted(positions: readonly number[]): void;
  /** Whether a request without a reply did its work. */
  tookEffect(error: AppError, ops: readonly Op[]): Promise<boolean>;
  /** The exact reason of a failure, and whether it is known that nothing was changed. */
  reasonOf(error: AppError, ops: readonly Op[]): Promise<{ error: AppError; tookNoEffect: boolean }>;
}

/** What was sent, and why the rest was not; `failure` null: nothing failed. */
interface Sent<Op> {
  sent: Op[];
  failure: { error: AppError; positions: readonly number[]; tookNoEffect: boolean } | null;
}

/** What was read longer ago is compared again before more is sent: someone else may have changed it meanwhile. */
const COMPARED_FOR_MS = 5000;

/** Returns the positions of the ops whose values are sent: of several ops on one value, the last one. */
export function sentPositions(wanted: readonly Placed[]): number[] {
  return wanted.flatMap(({ positions }) => positions.at(-1) ?? []);
}

/**
 * Sends the requests one after the other; the first failure ends it, because the next ones would likely fail too. After a slow
 * request, or one without a reply, the ops of the others stay open: the next replay compares them again. `results`: loses those
 * of the ops that are not sent.
 */
export async function sendInOrder<Op extends Placed>(
  writes: readonly Write<Op>[],
  results: Map<number, unknown>,
  tools: SendTools<Op>,
): Promise<Sent<Op>> {
  const sent: Op[] = [];
  const comparedAt = tools.now();
  for (const [index, { ops, send }] of writes.entries()) {
    if (Math.abs(tools.now() - comparedAt) > COMPARED_FOR_MS) {
      leaveOpen(writes.slice(index), results);
      break;
    }
    tools.onSending(sentPositions(ops));
    try {
      await send();
    } catch (thrown) {
      // The next process reads what became of it.
      if (tools.signal.aborted) throw thrown;
      const error = toAppError(thrown);
      if (!(await tools.tookEffect(error, ops))) {
        const positions = leaveOpen(writes.slice(index), results);
        return { sent, failure: { ...(await tools.reasonOf(error, ops)), positions } };
      }
    }
    tools.onAccepted(ops.flatMap(({ positions }) => positions));
    sent.push(...ops);
  }
  return { sent, failure: null };
}

/**
 * Leaves the ops of requests open that are not sent, and those that they replace: the values that the user saw before them are
 * compared in the next replay. Returns their positions.
 */
function leaveOpen(unsent: readonly Write<Placed>[], results: Map<number, unknown>): number[] {
  const positions = unsent.flatMap(({ ops }) => ops.flatMap((each) => each.positions));
  for (const position of positions) results.delete(position);
  return positions;
}
