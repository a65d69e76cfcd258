import { appError } from '../../../../shared/contract/app-error.ts';
import type { UploadSelection } from '../../../../shared/contract/uploads.ts';
import type { Priority } from '../../../../shared/model/uploads/priorities.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import type { Handlers } from '../../common/handlers.ts';
import type { Clock } from '../../ports/clock.ts';
import { laneOf, type UploadOrder } from '../journal/upload-order.ts';
import type { UploadSettings } from '../journal/upload-settings.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import type { UploadFeed } from '../reports/upload-feed.ts';
import type { UploadQueue } from './upload-queue.ts';

type OrderCall =
  | 'settings.get'
  | 'settings.set'
  | 'uploads.pauseUntil'
  | 'uploads.move'
  | 'uploads.sendNext'
  | 'uploads.setPriority';

export interface OrderTools {
  store: UploadStore;
  order: UploadOrder;
  settings: UploadSettings;
  queue: UploadQueue;
  feed: UploadFeed;
  clock: Clock;
}

/** The states of uploads that have not started. */
const NOT_BEGUN = ['queued', 'waiting', 'paused'] as const satisfies readonly UploadState[];
/** The states of uploads that can start, again or for the first time. */
const NOT_THROUGH = [
  ...NOT_BEGUN,
  'preparing',
  'sending',
  'finishing',
  'failed',
  'cancelled',
] as const satisfies readonly UploadState[];

/** The longest pause until an instant; a longer one is a pause without an end. */
const LONGEST_PAUSE_MS = 31 * 24 * 60 * 60_000;

/** The calls for the settings, for the pause until a time, and for the order of the queue. */
export function orderHandlers(tools: OrderTools): Pick<Handlers, OrderCall> {
  const { store, order, settings, queue, feed, clock } = tools;
  const changed = (count: number) => {
    if (count > 0) feed.touchOrder();
    queue.pump();
    return { changed: count };
  };
  const select = (selection: UploadSelection, states: readonly UploadState[]) => {
    switch (selection.kind) {
      case 'ids':
        return store.select({ ids: selection.ids }, states);
      case 'batch':
        return order.select({ batchId: selection.batchId }, states);
      case 'failed':
        return order.select(
          selection.batchId === undefined ? 'all' : { batchId: selection.batchId },
          states.includes('failed') ? ['failed'] : [],
        );
      case 'all':
        return order.select('all', states);
    }
  };
  return {
    'settings.get': async () => settings.get(),
    'settings.set': async ({ patch }) => {
      const before = settings.get();
      const after = settings.set(patch);
      queue.paceChanged();
      feed.touchTotals();
      if (after.smallFirst !== before.smallFirst) {
        await order.arrange(after.smallFirst ? 'size' : 'added');
        changed(1);
      }
      return after;
    },
    'uploads.pauseUntil': async ({ until }) => {
      const count = await (until === null ? queue.resumeAll() : queue.pauseUntil(checked(until, clock.now())));
      feed.touchTotals();
      // A command is durable before it is confirmed.
      await store.whenDurable();
      return { changed: count };
    },
    'uploads.move': async ({ ids, before, after }) =>
      changed(await order.move(select({ kind: 'ids', ids }, NOT_BEGUN), before, after)),
    'uploads.sendNext': async ({ selection }) => changed(await order.sendNext(select(selection, NOT_BEGUN))),
    'uploads.setPriority': async ({ selection, priority }) =>
      changed(await order.setPriority(select(selection, NOT_THROUGH), priority, settings.get().smallFirst)),
  };
}

/** Returns the function that computes the rank of new rows: behind all others of their priority, or by size. */
export function ranksOfNew(
  order: UploadOrder,
  settings: UploadSettings,
  priority: Priority = 'normal',
): (upload: Upload, index: number) => number {
  if (settings.get().smallFirst) return ({ sizeBytes }) => sizeBytes;
  const end = order.endOf(laneOf(priority));
  return (_, index) => end + index;
}

function checked(until: number, now: number): number {
  if (until > now && until - now <= LONGEST_PAUSE_MS) return until;
  throw appError('input.invalid', {
    message:
      until <= now
        ? 'This time is in the past.'
        : 'This time is more than a month away. Pause without an end time instead.',
    details: { until },
  });
}
