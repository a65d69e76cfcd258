import { appError } from '../../../shared/contract/app-error.ts';
import type { History, RowFact } from '../../simulation/history.ts';
import { MOVER_STEP_MS } from '../../simulation/world/files.ts';

/** Returns the first element; throws when there is none, because the test would then prove nothing. */
function one<T>(list: readonly T[], wanted: (value: T) => boolean = () => true): T {
  const found = list.find(wanted);
  if (found === undefined) throw new Error('the good history lacks what is to be broken');
  return found;
}

const fact = (history: History, event: RowFact['event']) => one(history.rows, (each) => each.event === event);

/** Writes a recording `beforeMs` before it is moved. Returns the record of that move. */
export function writeBeforeMove({ taken, versions, final }: History, beforeMs: number): History['taken'][number] {
  const move = one(taken, ({ path }) => path.endsWith('.mp4'));
  const written = { ...one(versions, ({ path }) => path === move.path), contents: 'new', atMs: move.atMs - beforeMs };
  versions.push(written);
  final.lying.push({ path: '/other/done/one.mp4', contents: 'new' });
  Object.assign(move, { kind: 'moved', contents: 'new' });
  return move;
}

/** For each rule, changes that make a history violate it. */
export const BROKEN: [rule: string, how: string, change: (history: History) => void][] = [
  ['noUploadIsLost', 'a row is missing at the end', ({ final }) => final.rows.pop()],
  [
    'everythingEnds',
    'a row is still waiting at the end',
    ({ final }) => {
      one(final.rows).state = 'waiting';
    },
  ],
  [
    'everythingEnds',
    'a failed row has no error',
    ({ final }) => {
      one(final.rows).state = 'failed';
    },
  ],
  [
    'everythingEnds',
    'the queue does not become idle',
    ({ final }) => {
      final.idle = false;
    },
  ],
  [
    'databaseIsSound',
    'the check of the database reports damage',
    ({ final }) => {
      final.integrity = 'row 1 missing from index';
    },
  ],
  ['noDuplicateItem', 'an item exists twice', ({ final }) => final.items.push({ ...one(final.items), id: 'again' })],
  [
    'noOrphanItem',
    'an item that a cancelled upload created remains',
    ({ final }) => {
      const row = one(final.rows);
      Object.assign(row, { state: 'cancelled', completedAt: null });
      for (const item of final.items) if (item.id === row.mediaId) item.files = [];
    },
  ],
  [
    'noForeignItem',
    'an upload uses an item that someone else created',
    ({ final }) => {
      one(final.items).isForeign = true;
    },
  ],
  [
    'noSharedItem',
    'two rows have the same item',
    ({ final }) => {
      for (const row of final.rows) row.mediaId = 'm';
    },
  ],
  [
    'oneOriginalPerItem',
    'an item has two files',
    ({ final }) => {
      const item = one(final.items);
      item.files.push({ ...one(item.files), id: 'again' });
    },
  ],
  [
    'completeIsTrue',
    'an upload was reported complete before its file was complete in the library',
    ({ effects }) => {
      for (const effect of effects) if (effect.kind === 'file-complete') effect.atMs += 1_000_000;
    },
  ],
  [
    'completeIsTrue',
    'an upload was reported as published and its item was not published',
    (history) => {
      history.effects = history.effects.filter(({ kind }) => kind !== 'item-published');
    },
  ],
  [
    'hashIsKept',
    'a row has no hash of the bytes that were sent',
    ({ final }) => {
      one(final.rows).sha256 = null;
    },
  ],
  [
    'cancelledIsTrue',
    'the item of a cancelled upload is published',
    ({ final }) => {
      const row = one(final.rows);
      row.state = 'cancelled';
      for (const item of final.items) if (item.id === row.mediaId) item.status = 'published';
    },
  ],
  [
    'sameContentsOnce',
    'two uploads brought the same contents',
    ({ final, versions }) => {
      const [first, second] = final.items.flatMap(({ files }) => files);
      if (!first || !second) throw new Error('two files are wanted');
      second.contents = first.contents;
      versions.push(...versions.map((version) => ({ ...version, contents: first.contents ?? '' })));
    },
  ],
  [
    'presentFilesAreFound',
    'an existing file is reported as missing',
    (history) => {
      const started = fact(history, 'started');
      const row = { ...started.row, state: 'failed' as const, error: appError('file.missing').toData() };
      history.rows.push({ ...started, event: 'failed', atMs: 1_000_000, row });
    },
  ],
  [
    'onlyTheSameFileIsFollowed',
    'a row follows its file to a path where the file never was',
    (history) => {
      const started = fact(history, 'started');
      history.rows.push({ ...started, event: 'file-moved', row: { ...started.row, path: '/recordings/other.mp4' } });
    },
  ],
  [
    'sameBytes',
    'a stored file mixes two versions of the local file',
    ({ final }) => {
      one(one(final.items).files).contents = 'a + b';
    },
  ],
  [
    'sameBytes',
    'the row describes another version than the one that was sent',
    ({ final }) => {
      one(final.rows).mtimeMs += 1;
    },
  ],
  [
    'sameBytes',
    'the hash of a row is not that of the stored file',
    ({ final }) => {
      one(final.rows).sha256 = 'other';
    },
  ],
  [
    'progressIsTrue',
    'a row shows more bytes than were sent',
    ({ shown, rows, transfers }) => {
      for (const transfer of transfers) transfer.sentBytes = 10;
      const { id } = one(rows).row;
      one(shown).rows.push({ id, state: 'sending', sentBytes: 11, sizeBytes: 1000 });
    },
  ],
  [
    'progressIsTrue',
    'the totals show more sent bytes than all files have',
    ({ shown }) => {
      one(shown).totals.sentBytes = 1_000_000;
    },
  ],
  [
    'totalsAddUp',
    'a shown count is wrong by 1',
    ({ shown }) => {
      one(shown).totals.counts.failed += 1;
    },
  ],
  [
    'receiptsAddUp',
    'a receipt counts one complete file too few',
    ({ final }) => {
      one(final.receipts).complete -= 1;
    },
  ],
  ['receiptsAddUp', 'a receipt is missing', ({ final }) => final.receipts.pop()],
  [
    'exactSchedule',
    'a wait is too short by one millisecond',
    (history) => delayed(history, 'api.server-error', 1, 10_000 - 1),
  ],
  [
    'exactSchedule',
    'an attempt begins before the end of its wait',
    (history) => {
      delayed(history, 'api.server-error', 1, 10_000);
      history.rows.push({ ...fact(history, 'started'), atMs: 0 });
    },
  ],
  [
    'exactSchedule',
    'a wait is shorter than Retry-After',
    (history) => delayed(history, 'api.server-error', 1, 10_000, { retryAfterMs: 15_000 }),
  ],
  [
    'retryAfterIsKept',
    'a write is sent one second before the end of Retry-After',
    (history) => {
      history.scenario.service.retryAfterS = 30;
      const request = { number: 0, site: 's1', life: 0, method: 'POST', path: '/api2/media', fromMs: 0, toMs: 10 };
      history.requests.push({ ...request, result: 'api.read-only 503' });
      history.requests.push({ ...request, fromMs: 29_010, toMs: 29_020, result: '201' });
    },
  ],
  [
    'scatteredErrorsAreCheap',
    'a step fails three times in a row',
    (history) => {
      history.scenario.service.errsOnce = true;
      delayed(history, 'api.server-error', 3, 40_000);
    },
  ],
  [
    'exactSchedule',
    'an upload waits for a fifteenth retry',
    (history) => delayed(history, 'api.server-error', 15, 10_000),
  ],
  [
    'refusalsAreNotRetried',
    'an upload waits for a retry after a 403',
    (history) => delayed(history, 'api.forbidden', 1, 10_000, { status: 403 }),
  ],
  [
    'maintenanceIsLeftAlone',
    'a site in maintenance gets 100 requests in a short time',
    ({ scenario, requests }) => {
      scenario.faults.push({ kind: 'maintenance', site: null, fromMs: 0, toMs: 50_000, rate: 1 });
      const refused = { ...one(requests), fromMs: 1, result: 'api.read-only 503' };
      for (let count = 0; count < 100; count += 1) requests.push(refused);
    },
  ],
  [
    'noStarvation',
    'an upload waits while all slots are free',
    ({ rows, final }) => {
      const added = one(rows, ({ event }) => event === 'added');
      rows.push({ ...added, row: { ...added.row, id: 'forgotten' } });
      final.atMs += 1_000_000;
    },
  ],
  [
    'singleFlight',
    'two writes to one item overlap',
    ({ requests }) => {
      const write = one(requests, ({ method, path }) => method === 'POST' && path.endsWith('/files'));
      requests.push({ ...write });
    },
  ],
  ['singleFlight', 'two transfers to one item overlap', ({ transfers }) => transfers.push({ ...one(transfers) })],
  [
    'commandsAreObeyed',
    'a transfer begins for a cancelled upload',
    (history) => {
      const sent = fact(history, 'sent');
      history.rows.push({ ...sent, event: 'cancelled', row: { ...sent.row, state: 'cancelled' } });
      history.transfers.push({
        ...one(history.transfers),
        afterRows: history.rows.length,
        fileId: String(sent.row.fileId),
      });
    },
  ],
  [
    'accountFaultFailsNothing',
    'an upload fails because the keychain is locked',
    (history) => {
      const started = fact(history, 'started');
      const row = { ...started.row, state: 'failed' as const, error: appError('keychain.locked').toData() };
      history.rows.push({ ...started, event: 'failed', row });
    },
  ],
  [
    'outagesUseNoRetries',
    'an upload counts three failures in one outage',
    (history) => {
      history.scenario.faults.push({ kind: 'gateway', site: null, fromMs: 0, toMs: 1000, rate: 1 });
      delayed(history, 'api.server-error', 3, 40_000, { status: 502 });
    },
  ],
  [
    'gatesAreClosedWithReason',
    'the network counts as lost although nothing failed',
    ({ shown }) => {
      const first = one(shown);
      shown.push({ ...first, totals: { ...first.totals, blockedBy: appError('network.unreachable').toData() } });
    },
  ],
  [
    'stallsHaveAReason',
    'an upload counts as stalled although nothing failed',
    (history) => {
      const sent = fact(history, 'send-started');
      const row = { ...sent.row, state: 'waiting' as const, error: appError('upload.stalled').toData() };
      history.rows.push({ ...sent, event: 'delayed', row });
    },
  ],
  [
    'heldUploadsBeginNothing',
    'the creation of an item begins for a paused upload',
    (history) => {
      fact(history, 'item-intended').row.state = 'paused';
    },
  ],
  [
    'orderIsKept',
    'the second upload began before the first',
    ({ overtakings, rows }) => {
      const [first, second] = rows.filter(({ event }) => event === 'added');
      overtakings.push({ atMs: 0, afterRows: 2, id: second?.row.id ?? '', overtaken: [first?.row.id ?? ''], lost: [] });
    },
  ],
  [
    'pausesAreKept',
    'an upload began while the queue was paused until later',
    ({ pauses, rows }) => {
      pauses.push({ afterRows: 0, untilWallMs: one(rows, ({ event }) => event === 'started').wallMs + 1 });
    },
  ],
  [
    'noFaultOfOurs',
    'the log contains a fault of the program',
    ({ programFaults }) => programFaults.push({ atMs: 1, event: 'upload.fault', text: '' }),
  ],
  [
    'noFaultOfOurs',
    'an upload failed because of an internal error',
    ({ rows }) => {
      one(rows).row.error = appError('internal').toData();
    },
  ],
  [
    'everythingEnds',
    'a follow-up of an upload is still open at the end',
    ({ final }) => {
      one(final.rows).followUpAt = 5;
    },
  ],
  [
    'sourceIsSafe',
    'a file is removed whose contents the library does not have',
    ({ taken }) => {
      one(taken, ({ path }) => path.endsWith('.mp4')).contents = 'something else';
    },
  ],
  [
    'sourceIsSafe',
    'a file is moved although it was written before the step that moved it',
    (history) => writeBeforeMove(history, MOVER_STEP_MS + 1),
  ],
  [
    'sourceIsSafe',
    'a file is removed although it was written during the step that removed it',
    (history) => {
      writeBeforeMove(history, 1).kind = 'removed';
    },
  ],
  [
    'sourceIsSafe',
    'a file is removed or moved before its upload is complete',
    ({ taken }) => {
      one(taken, ({ path }) => path.endsWith('.mp4')).atMs = 0;
    },
  ],
  [
    'sourceIsSafe',
    'the only copy is removed',
    ({ taken }) => {
      one(taken, ({ kind }) => kind === 'removed').elsewhere = false;
    },
  ],
  ['noFileIsLost', 'the contents of a file no longer exist anywhere', ({ final }) => final.lying.splice(0, 1)],
  [
    'sidecarsKeepTheirEndings',
    'captions lose the ending of their name when they are moved',
    ({ final }) => {
      one(final.lying, ({ path }) => path.endsWith('.srt')).path = '/other/done/ones';
    },
  ],
  [
    'noHalfCopyIsLeft',
    'an unfinished copy remains at the target of a move',
    ({ final }) => {
      one(final.lying).path = '/other/done/.one.mediadesk-part';
    },
  ],
  [
    'collectionIsKnownFirst',
    'an item is created before the collection was looked up',
    (history) => {
      fact(history, 'item-created').row.collectionId = 'physics';
    },
  ],
  [
    'collectionIsKnownFirst',
    'a collection is reported as unknown long after the library shows it',
    (history) => {
      const created = fact(history, 'item-created');
      const { row } = created;
      const error = appError('collection.unknown').toData();
      const failed = { ...row, itemIntentAt: null, mediaId: null, state: 'failed' as const, error };
      history.rows.push({ ...created, event: 'failed', atMs: 24 * 3_600_000, row: failed });
    },
  ],
  [
    'captionsOnce',
    'an item has the same captions twice',
    ({ final }) => {
      const { files } = one(final.items, (item) => item.files.some(({ type }) => type === 'captions'));
      files.push({ ...one(files, ({ type }) => type === 'captions'), id: 'again' });
    },
  ],
  [
    'followUpsAreTrue',
    'captions that are reported as done are missing in the library',
    ({ final }) => {
      for (const item of final.items) item.files = item.files.filter(({ type }) => type !== 'captions');
    },
  ],
];

/** Adds a wait to the history of the first upload. */
function delayed(
  history: History,
  code: 'api.server-error' | 'api.forbidden',
  retries: number,
  ms: number,
  details = {},
) {
  const started = fact(history, 'started');
  const { row, wallMs } = started;
  const retriesByStep = retries === 0 ? {} : { send: { count: retries, answered: 0 } };
  const waiting = { ...row, state: 'waiting' as const, retries, retriesByStep, nextAttemptAt: wallMs + ms };
  const at = history.rows.indexOf(started) + 1;
  history.rows.splice(at, 0, {
    ...started,
    event: 'delayed',
    row: { ...waiting, error: appError(code, { details }).toData() },
  });
  // The rest of the good history does not follow from this wait, so it is removed.
  history.rows.length = at + 1;
}
