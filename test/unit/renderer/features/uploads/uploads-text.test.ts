import { describe, expect, it } from 'vitest';
import {
  isSentOut,
  rowActions,
  rowNote,
  rowPercent,
  showsBar,
} from '../../../../../renderer/features/uploads/row/row-text.ts';
import { announcementsFor } from '../../../../../renderer/features/uploads/state/announcements.ts';
import { mergeRows } from '../../../../../renderer/features/uploads/state/merge-rows.ts';
import { UPLOAD_LOOKS } from '../../../../../renderer/kit/text/states.ts';
import { targetLabel } from '../../../../../renderer/kit/text/upload-text.ts';
import { stripSentence, totalPercent, workOf } from '../../../../../renderer/shell/upload-strip-text.ts';
import type { Batch, UploadRow, UploadTotals } from '../../../../../shared/contract/uploads.ts';
import { countFor, pendingOf } from '../../../../../shared/model/uploads/upload-counts.ts';
import { isEnded, UPLOAD_STATES, type UploadState } from '../../../../../shared/model/uploads/upload-states.ts';

const none = Object.fromEntries(UPLOAD_STATES.map((state) => [state, 0])) as Record<UploadState, number>;
const error = { code: 'network.unreachable', message: 'No network.', nextStep: 'Wait.', details: null };

const row = (change: Partial<UploadRow> = {}): UploadRow => ({
  id: 'u1',
  batchId: 'b1',
  siteId: 's1',
  collectionId: 'c1',
  collectionName: 'Physics',
  path: '/r/a.wav',
  fileName: 'a.wav',
  sizeBytes: 1000,
  mtimeMs: 0,
  title: 'a',
  state: 'sending',
  priority: 'normal',
  sentBytes: 500,
  bytesPerSecond: 100,
  secondsLeft: 5,
  attempts: 1,
  nextAttemptAt: null,
  mediaId: null,
  fileId: null,
  sha256: null,
  error: null,
  notice: null,
  movedFrom: null,
  followUps: [],
  addedAt: 0,
  endedAt: null,
  ...change,
});

const totals = (counts: Partial<Record<UploadState, number>>, change: Partial<UploadTotals> = {}): UploadTotals => ({
  counts: { ...none, ...counts },
  totalBytes: 1000,
  sentBytes: 100,
  bytesPerSecond: 38_000_000,
  secondsLeft: 240,
  paused: false,
  pausedUntil: null,
  limitBytesPerSecond: null,
  limitUntil: null,
  followUps: { pending: 0, failed: 0 },
  duplicates: 0,
  blockedBy: null,
  blockedSiteId: null,
  ...change,
});

const batch = (id: string, counts: Partial<Record<UploadState, number>>, duplicates = 0): Batch => ({
  id,
  siteId: 's1',
  collectionId: 'c1',
  collectionName: 'Physics',
  folderName: null,
  addedAt: 0,
  counts: { ...none, ...counts },
  totalBytes: 1,
  duplicates,
});

describe('mergeRows', () => {
  it('stores changed rows and returns their ids', () => {
    const known = new Map([['u1', row()]]);
    const next = row({ sentBytes: 600 });
    expect(mergeRows(known, [next])).toEqual(['u1']);
    expect(known.get('u1')).toBe(next);
  });

  it('keeps the object of an unchanged row, so that it is not rendered again', () => {
    const before = row({ error });
    const known = new Map([['u1', before]]);
    expect(mergeRows(known, [row({ error: { ...error } })])).toEqual([]);
    expect(known.get('u1')).toBe(before);
  });

  it('ignores rows that are not loaded', () => {
    const known = new Map<string, UploadRow>();
    expect(mergeRows(known, [row()])).toEqual([]);
    expect(known.size).toBe(0);
  });
});

describe('the counting of uploads', () => {
  it('assigns every state that has not ended to either active or waiting', () => {
    for (const state of UPLOAD_STATES) {
      const counts = { [state]: 1 };
      const one = { counts, duplicates: 0 };
      expect(countFor('active', one) + countFor('waiting', one)).toBe(isEnded(state) ? 0 : 1);
      expect(countFor('all', one)).toBe(1);
      expect(pendingOf(counts)).toBe(isEnded(state) ? 0 : 1);
    }
  });

  it('omits ended batches, and skipped or cancelled rows', () => {
    const batches = [
      batch('old', { complete: 5000 }),
      batch('now', { complete: 10, failed: 2, queued: 388, skipped: 3, cancelled: 1 }),
    ];
    expect(workOf(batches, totals({ queued: 388 }))).toEqual({ total: 400, ended: 12, failed: 2, needsDecision: 0 });
  });

  it('counts decisions separately from failures', () => {
    const uploads = { counts: { failed: 5, complete: 2 }, duplicates: 3 };
    expect(countFor('failed', uploads)).toBe(2);
    expect(countFor('needs-decision', uploads)).toBe(3);
    expect(countFor('all', uploads)).toBe(7);
  });

  it('counts the failures of a batch in progress, whatever duplicates an ended batch has', () => {
    const batches = [batch('old', { failed: 5 }, 5), batch('now', { failed: 3, queued: 7 }, 1)];
    const work = workOf(batches, totals({ failed: 8, queued: 7 }, { duplicates: 6 }));
    expect(work).toEqual({ total: 10, ended: 2, failed: 2, needsDecision: 1 });
  });

  it('counts the whole queue when there are no batches', () => {
    expect(workOf([], totals({ complete: 1, failed: 3, sending: 1 }, { duplicates: 2 }))).toEqual({
      total: 5,
      ended: 2,
      failed: 1,
      needsDecision: 2,
    });
  });
});

describe('the sentence of the upload strip', () => {
  const work = { total: 400, ended: 12, failed: 0, needsDecision: 0 };
  it.each([
    ['uploads in progress', totals({ sending: 4, queued: 384 }), work, '12 of 400 · 38 MB/s · 4 min left'],
    [
      'uploads in progress, some of which failed',
      totals({ sending: 4 }),
      { ...work, failed: 2 },
      '12 of 400 · 38 MB/s · 4 min left · 2 failed',
    ],
    ['a paused queue', totals({ queued: 4 }, { paused: true }), work, '12 of 400 · paused'],
    ['a queue that an error blocks', totals({ queued: 4 }, { blockedBy: error, bytesPerSecond: 0 }), work, '12 of 400'],
    [
      'uploads that are all in processing',
      totals({ processing: 4 }, { bytesPerSecond: 0, secondsLeft: null }),
      work,
      '12 of 400 · processing in the library',
    ],
    [
      'uploads before their first byte',
      totals({ preparing: 4 }, { bytesPerSecond: 0, secondsLeft: null }),
      work,
      '12 of 400 · starting',
    ],
    [
      'uploads whose bytes are all sent',
      totals({ sending: 1 }, { sentBytes: 1000, secondsLeft: 0 }),
      work,
      '12 of 400 · all sent, finishing',
    ],
    [
      'uploads that are sent and in processing',
      totals({ processing: 7 }, { sentBytes: 1000, bytesPerSecond: 0, secondsLeft: null }),
      work,
      '12 of 400 · all sent, processing in the library',
    ],
    ['complete uploads', totals({ complete: 12 }), work, 'All 12 uploads are complete'],
    ['ended uploads, one of which failed', totals({ complete: 12, failed: 1 }), work, '1 upload failed · 12 complete'],
    [
      'ended uploads that need a decision',
      totals({ complete: 3, failed: 2 }, { duplicates: 2 }),
      work,
      '2 uploads need your decision · 3 complete',
    ],
    [
      'complete uploads with a failed follow-up',
      totals({ complete: 2 }, { followUps: { pending: 0, failed: 1 } }),
      work,
      'All 2 uploads are complete · 1 with a problem afterwards',
    ],
    ['an empty queue', totals({}), { total: 0, ended: 0, failed: 0, needsDecision: 0 }, 'No uploads'],
  ] as const)('describes %s', (_what, given, done, sentence) => {
    expect(stripSentence(given, done, Date.now())).toBe(sentence);
  });
});

describe('the bar of the upload strip', () => {
  it('is never at 100 per cent while an upload is in progress', () => {
    expect(totalPercent(totals({ sending: 1 }, { sentBytes: 999 }))).toBe(99);
    expect(totalPercent(totals({ sending: 1 }, { sentBytes: 1000 }))).toBeNull();
    expect(totalPercent(totals({ processing: 1 }, { sentBytes: 1000, paused: true }))).toBe(99);
  });
});

describe('the row of an upload', () => {
  it('shows that it finishes when all bytes are sent', () => {
    const last = row({ sentBytes: 1000, secondsLeft: 0 });
    expect(isSentOut(last)).toBe(true);
    expect(rowNote(last, 0)).toBe('all sent, finishing');
  });

  it('shows 100 per cent only when it is complete or all bytes are sent', () => {
    expect(rowPercent(row({ sentBytes: 999 }))).toBe(99);
    expect(rowPercent(row({ state: 'complete', sentBytes: 0, sizeBytes: 0 }))).toBe(100);
  });

  it('counts down to its next attempt', () => {
    const waiting = row({ state: 'waiting', attempts: 3, nextAttemptAt: 90_000 });
    expect(rowNote(waiting, 15_000)).toBe('attempt 3 failed, next try in 1 min');
    expect(rowNote(waiting, 91_000)).toBe('attempt 3 failed, trying again now');
    expect(rowNote(waiting, 100_000)).toBe('attempt 3 failed');
    expect(rowNote({ ...waiting, attempts: 0 }, 100_000)).toBeNull();
  });

  it('has no bar before its start and after its end', () => {
    const shown = UPLOAD_STATES.filter((state) => showsBar(row({ state, sentBytes: 0 })));
    expect(shown).toEqual(['preparing', 'sending', 'finishing', 'processing', 'publishing', 'paused']);
  });

  it('has a different word for each state', () => {
    const words = UPLOAD_STATES.map((state) => UPLOAD_LOOKS[state].word);
    expect(new Set(words).size).toBe(UPLOAD_STATES.length);
  });

  it('offers a retry only when something can be retried', () => {
    const retried = UPLOAD_STATES.filter((state) => rowActions(row({ state })).includes('retry'));
    expect(retried).toEqual(['waiting', 'failed', 'cancelled']);
    for (const state of UPLOAD_STATES) expect(rowActions(row({ state })).includes('cancel')).toBe(!isEnded(state));
  });
});

describe('announcementsFor', () => {
  const first = announcementsFor([batch('b', { queued: 8 }), batch('old', { complete: 4 })], new Map());

  it('announces nothing for a batch that is new to it', () => expect(first.sentences).toEqual([]));

  it('announces each quarter once', () => {
    const some = announcementsFor([batch('b', { complete: 1, queued: 7 })], first.announced);
    expect(some.sentences).toEqual([]);
    const quarter = announcementsFor([batch('b', { complete: 2, queued: 6 })], some.announced);
    expect(quarter.sentences).toEqual(['Uploads to Physics: 25 percent, 2 of 8 complete.']);
    expect(announcementsFor([batch('b', { complete: 3, queued: 5 })], quarter.announced).sentences).toEqual([]);
  });

  it('announces failures and the end', () => {
    const failed = announcementsFor([batch('b', { failed: 1, queued: 7 })], first.announced);
    expect(failed.sentences).toEqual(['1 upload to Physics failed.']);
    const ended = announcementsFor([batch('b', { complete: 7, failed: 1 })], failed.announced);
    expect(ended.sentences).toEqual(['Uploads to Physics ended: 7 complete, 1 failed.']);
    expect(announcementsFor([batch('b', { complete: 7, failed: 1 })], ended.announced).sentences).toEqual([]);
  });

  it('announces a decision, not a failure, for a duplicate', () => {
    const asking = announcementsFor([batch('b', { failed: 2, queued: 6 }, 2)], first.announced);
    expect(asking.sentences).toEqual(['2 uploads to Physics need your decision.']);
    const ended = announcementsFor([batch('b', { complete: 6, failed: 2 }, 2)], asking.announced);
    expect(ended.sentences).toEqual(['Uploads to Physics ended: 6 complete, 2 need your decision.']);
  });

  it('separates failures and decisions of one batch', () => {
    const failed = announcementsFor([batch('b', { failed: 2, queued: 6 }, 1)], first.announced);
    expect(failed.sentences).toEqual(['1 upload to Physics failed.']);
    const ended = announcementsFor([batch('b', { complete: 6, failed: 2 }, 1)], failed.announced);
    expect(ended.sentences).toEqual(['Uploads to Physics ended: 6 complete, 1 failed, 1 needs your decision.']);
  });
});

describe('the collection of an upload', () => {
  it('is shown as typed, with “not confirmed yet”, until the library has confirmed it', () => {
    expect(targetLabel(row())).toBe('Physics');
    expect(targetLabel(row({ collectionId: '', collectionName: 'phys' }))).toBe('phys (not confirmed yet)');
  });
});
