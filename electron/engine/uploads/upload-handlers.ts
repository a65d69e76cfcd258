import { appError } from '../../../shared/contract/app-error.ts';
import type { UploadSelection } from '../../../shared/contract/uploads.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { UploadCommand } from '../../../shared/model/uploads/upload-machine.ts';
import type { Handlers } from '../common/handlers.ts';
import type { Database } from '../store/database.ts';
import { chooseItem } from './delivery/items/choose-item.ts';
import type { BatchStore } from './journal/batch-store.ts';
import type { UploadJournal } from './journal/upload-journal.ts';
import type { UploadLists } from './journal/upload-lists.ts';
import type { UploadStore } from './journal/upload-store.ts';
import type { UploadQueue } from './queue/upload-queue.ts';
import { shownBatch } from './reports/batch-report.ts';
import { searchReceipts } from './reports/receipt-search.ts';
import { buildReceipt } from './reports/receipts.ts';
import type { UploadFeed } from './reports/upload-feed.ts';

type ListCall =
  | 'uploads.list'
  | 'uploads.ids'
  | 'uploads.unknown'
  | 'uploads.leftovers'
  | 'uploads.totals'
  | 'uploads.batch'
  | 'uploads.batches'
  | 'uploads.outline'
  | 'uploads.cancelEffects';

type CommandCall =
  | 'uploads.pause'
  | 'uploads.resume'
  | 'uploads.cancel'
  | 'uploads.cancelUnsent'
  | 'uploads.undoCancel'
  | 'uploads.clear'
  | 'uploads.undoClear'
  | 'uploads.retry'
  | 'uploads.acceptReplaced'
  | 'uploads.resolveDuplicates'
  | 'uploads.chooseCollection'
  | 'uploads.chooseItem';

interface CommandTools {
  store: UploadStore;
  batches: BatchStore;
  journal: UploadJournal;
  queue: UploadQueue;
  feed: UploadFeed;
}

interface ReceiptTools {
  database: Database;
  store: UploadStore;
  batches: BatchStore;
  lists: UploadLists;
  siteName(siteId: string): string;
}

/** The maximum number of ids in an answer: a selection of uploads may not contain more. */
const MOST_IDS = 100_000;

/** The calls that list the contents of the queue. They change nothing. */
export function listHandlers(tools: CommandTools & { lists: UploadLists }): Pick<Handlers, ListCall> {
  const { store, batches, lists, journal, queue, feed } = tools;
  return {
    'uploads.list': async ({ filter, batchId, offset, limit: count, withCleared = false }) => {
      const tally = journal.tally(batchId);
      const { total, rows } = lists.page(filter, batchId, { offset, limit: count, tally, withCleared });
      return { total, rows: rows.map((upload) => feed.row(upload)) };
    },
    'uploads.ids': async ({ filter, batchId }) => {
      return { ids: lists.ids(filter, batchId).slice(0, MOST_IDS) };
    },
    'uploads.unknown': async ({ ids }) => ({ ids: [...new Set(ids)].filter((id) => store.get(id) === null) }),
    'uploads.leftovers': async () => ({ left: store.uncleaned().length, pending: queue.pendingCleanUps }),
    'uploads.totals': async () => feed.totals(),
    'uploads.batch': async ({ batchId }) => {
      const batch = batches.get(batchId);
      return batch === null ? null : shownBatch(batch, journal.tally(batch.id));
    },
    'uploads.batches': async ({ limit: count, offset }) =>
      batches.newest(count, offset).map((batch) => shownBatch(batch, journal.tally(batch.id))),
    'uploads.outline': async () => feed.outline(),
    'uploads.cancelEffects': async (selection) => queue.effectsOfCancel(selection),
  };
}

/** The user's commands about uploads. */
export function commandHandlers(tools: CommandTools): Pick<Handlers, CommandCall> {
  const { store, batches, journal, queue, feed } = tools;

  /** Runs a command, shows its effect, and confirms it once it is durable. */
  async function durable<T>(work: () => Promise<T>, touch: () => void): Promise<T> {
    const answer = await work();
    touch();
    await journal.whenDurable();
    return answer;
  }
  const touchTotals = () => feed.touchTotals();
  const touchOrder = () => feed.touchOrder();
  const change = (work: () => number | Promise<number>, touch: () => void) =>
    durable(async () => ({ changed: await work() }), touch);
  const command = (name: UploadCommand, selection: UploadSelection) =>
    change(() => runCommand(name, selection, queue), touchTotals);

  return {
    'uploads.pause': (selection) => command('pause', selection),
    'uploads.resume': (selection) => command('resume', selection),
    'uploads.cancel': (selection) => command('cancel', selection),
    'uploads.cancelUnsent': (selection) => durable(() => queue.cancelUnsent(selection), touchTotals),
    'uploads.undoCancel': ({ undoId }) => change(() => queue.undoCancel(undoId), touchTotals),
    'uploads.clear': ({ selection, what }) =>
      durable(() => queue.clear(what === 'completed' ? 'clear-completed' : 'clear', selection), touchOrder),
    'uploads.undoClear': (input) =>
      change(
        () => ('undoId' in input ? queue.undoClear(input.undoId) : queue.command('undo-clear', input.selection)),
        touchOrder,
      ),
    'uploads.retry': (selection) => command('retry', selection),
    'uploads.acceptReplaced': (selection) => change(() => queue.acceptReplaced(selection), touchTotals),
    'uploads.resolveDuplicates': ({ selection, choice }) =>
      change(() => queue.command(choice === 'skip' ? 'skip-duplicates' : 'upload-duplicates', selection), touchTotals),
    'uploads.chooseCollection': async ({ batchId, collectionRef }) => {
      const batch = batches.get(batchId);
      if (batch === null) throw appError('upload.unknown', { details: { batchId } });
      if (batch.collectionId !== '') {
        throw appError('input.invalid', {
          message: `The collection of this batch is already confirmed as “${batch.collectionName}” and can’t be changed.`,
        });
      }
      batches.setCollectionRef(batchId, collectionRef);
      return command('retry', { kind: 'failed', batchId });
    },
    'uploads.chooseItem': (choice) =>
      change(
        () => chooseItem(choice, { store, journal }),
        () => queue.pump(),
      ),
  };
}

/** Receipts of batches. */
export function receiptHandlers(tools: ReceiptTools): Pick<Handlers, 'uploads.receipt' | 'receipts.search'> {
  const { batches, lists, siteName } = tools;
  return {
    'uploads.receipt': async ({ batchId }) => {
      const batch = batches.get(batchId);
      if (!batch) throw appError('upload.unknown', { details: { batchId } });
      return buildReceipt(batch, siteName(batch.siteId), allRows(lists, batchId));
    },
    'receipts.search': async (query) => searchReceipts(query, tools, siteName),
  };
}

function runCommand(name: UploadCommand, selection: UploadSelection, queue: UploadQueue): Promise<number> {
  if (selection.kind === 'all' && name === 'pause') return queue.pauseAll();
  if (selection.kind === 'all' && name === 'resume') return queue.resumeAll();
  return queue.command(name, selection);
}

function allRows(lists: UploadLists, batchId: string): Upload[] {
  const uploads: Upload[] = [];
  for (let after = 0; ; ) {
    const rows = lists.ofBatch(batchId, after, 1000);
    uploads.push(...rows.map(({ upload }) => upload));
    if (rows.length < 1000) return uploads;
    after = rows.at(-1)?.seq ?? after;
  }
}
