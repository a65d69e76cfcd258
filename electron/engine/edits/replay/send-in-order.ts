import { type AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { Clock } from '../../ports/clock.ts';

/** One request that changes something, with the net ops that it carries. */
export interface Write<Op> {
  ops: readonly Op[];
  send(): Promise<void>;
}

/** A net op, which represents several ops on one value: the positions of these ops. The value of the last one is sent. */
interface Placed {
  readonly positions: readonly number[];
}

/** A moment by both clocks: the wall clock also counts the time in which the computer sleeps, and no one can set the monotonic one. */
interface Moment {
  wallMs: number;
  monotonicMs: number;
}

interface SendTools<Op> {
  signal: AbortSignal;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The moment before the request that read the values which were compared. */
  readAt: Moment;
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
  /** The positions of ops of which none was sent, because the values were too old already; null: at least one was sent. */
  outdated: readonly number[] | null;
}

/**
 * The time after the request for the compared values in which they may be sent. Later, the item is read and compared again,
 * because someone may have changed it: the library may have written a slow answer right after the request.
 */
const COMPARED_FOR_MS = 5000;

/** How often one attempt reads the values when the answers are too slow to send anything. */
const MOST_READS = 3;

export function momentOf(clock: SendTools<unknown>['clock']): Moment {
  return { wallMs: clock.now(), monotonicMs: clock.monotonic() };
}

function isOutdated({ wallMs, monotonicMs }: Moment, clock: SendTools<unknown>['clock']): boolean {
  return Math.max(Math.abs(clock.now() - wallMs), clock.monotonic() - monotonicMs) > COMPARED_FOR_MS;
}

/** The result of one attempt, and `outdated` of `Sent`. */
export interface Attempt<Result> {
  replay: Result;
  outdated: Sent<unknown>['outdated'];
}

/**
 * Reads, compares and sends, again while the values were too old when they arrived. After `MOST_READS` attempts the failure is
 * `edit.slow-library`, and nothing was sent.
 */
export async function whileOutdated<Result extends { failure: object | null }>(
  attempt: () => Promise<Attempt<Result>>,
): Promise<Result> {
  for (let reads = 1; ; reads += 1) {
    const { replay, outdated } = await attempt();
    if (outdated === null) return replay;
    if (reads === MOST_READS) {
      return { ...replay, failure: { error: appError('edit.slow-library'), positions: outdated, tookNoEffect: true } };
    }
  }
}

/** Returns the positions of the ops whose values are sent: of several ops on one value, the last one. */
export function sentPositions(wanted: readonly Placed[]): number[] {
  return wanted.flatMap(({ positions }) => positions.at(-1) ?? []);
}

/**
 * Sends the requests one after the other, until one fails (the next would probably fail too) or the compared values are older than
 * `COMPARED_FOR_MS`.
 * The ops of the remaining requests stay open for the next replay and are removed from `results`.
 */
export async function sendInOrder<Op extends Placed>(
  writes: readonly Write<Op>[],
  results: Map<number, unknown>,
  tools: SendTools<Op>,
): Promise<Sent<Op>> {
  const sent: Op[] = [];
  for (const [index, { ops, send }] of writes.entries()) {
    if (isOutdated(tools.readAt, tools.clock)) {
      const positions = leaveOpen(writes.slice(index), results);
      return { sent, failure: null, outdated: index === 0 ? positions : null };
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
        return { sent, failure: { ...(await tools.reasonOf(error, ops)), positions }, outdated: null };
      }
    }
    tools.onAccepted(sentPositions(ops));
    sent.push(...ops);
  }
  return { sent, failure: null, outdated: null };
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
