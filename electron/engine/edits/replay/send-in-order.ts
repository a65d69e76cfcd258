import { type AppError, toAppError } from '../../../../shared/contract/app-error.ts';

/** One request that changes something, with the net ops that it carries. */
export interface Write<Op> {
  ops: readonly Op[];
  send(): Promise<void>;
}

/** A net op, which represents several ops on one value: the positions of these ops. The value of the last one is sent. */
interface Placed {
  readonly positions: readonly number[];
}

interface SendTools<Op> {
  signal: AbortSignal;
  now(): number;
  onSending(positions: readonly number[]): void;
  onAccepted(positions: readonly number[]): void;
  /** Returns whether a request without a reply took effect. */
  tookEffect(error: AppError, ops: readonly Op[]): Promise<boolean>;
  /** Returns the exact reason of a failure, and whether certainly nothing was changed. */
  reasonOf(error: AppError, ops: readonly Op[]): Promise<{ error: AppError; tookNoEffect: boolean }>;
}

/** The ops that were sent, and why the rest was not; `failure` null: nothing failed. */
interface Sent<Op> {
  sent: Op[];
  failure: { error: AppError; positions: readonly number[]; tookNoEffect: boolean } | null;
}

/**
 * The time after a comparison in which values may be sent. Later, the item is read and compared again, because someone may have
 * changed it.
 */
const COMPARED_FOR_MS = 5000;

/** Returns the positions of the ops whose values are sent: of several ops on one value, the last one. */
export function sentPositions(wanted: readonly Placed[]): number[] {
  return wanted.flatMap(({ positions }) => positions.at(-1) ?? []);
}

/**
 * Sends the requests one after the other, until one fails (the next would probably fail too) or `COMPARED_FOR_MS` have passed.
 * The ops of the remaining requests stay open for the next replay and are removed from `results`.
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
      // The process is stopping: the next process reads the result from the library.
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
 * Removes the results of the ops of unsent requests, and of the ops that these replace: the next replay compares them again.
 * Returns their positions.
 */
function leaveOpen(unsent: readonly Write<Placed>[], results: Map<number, unknown>): number[] {
  const positions = unsent.flatMap(({ ops }) => ops.flatMap((each) => each.positions));
  for (const position of positions) results.delete(position);
  return positions;
}
