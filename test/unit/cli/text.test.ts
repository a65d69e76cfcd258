import { describe, expect, it } from 'vitest';
import { errorLines } from '../../../electron/cli/output/output.ts';
import {
  displayWidth,
  fitInto,
  formatBytes,
  formatDuration,
  printable,
  table,
} from '../../../electron/cli/output/text-format.ts';
import {
  changeLine,
  percentSent,
  progressPicture,
  tally,
  totalsLine,
} from '../../../electron/cli/uploads/progress-text.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { UploadRow, UploadTotals } from '../../../shared/contract/uploads.ts';
import { UPLOAD_STATES, type UploadState } from '../../../shared/model/uploads/upload-states.ts';

function counts(given: Partial<Record<UploadState, number>>): Record<UploadState, number> {
  return Object.fromEntries(UPLOAD_STATES.map((state) => [state, given[state] ?? 0])) as Record<UploadState, number>;
}

function totalsOf(given: Partial<UploadTotals>): UploadTotals {
  return {
    counts: counts({}),
    totalBytes: 0,
    sentBytes: 0,
    bytesPerSecond: 0,
    secondsLeft: null,
    paused: false,
    pausedUntil: null,
    limitBytesPerSecond: null,
    limitUntil: null,
    followUps: { pending: 0, failed: 0 },
    duplicates: 0,
    blockedBy: null,
    blockedSiteId: null,
    ...given,
  };
}

function rowOf(given: Partial<UploadRow>): UploadRow {
  return {
    id: 'u1',
    followUps: [],
    batchId: 'b1',
    siteId: 's1',
    collectionId: 'c1',
    collectionName: 'Physics',
    path: '/rec/Lecture 07 – Optics.mp4',
    fileName: 'Lecture 07 – Optics.mp4',
    sizeBytes: 2_000_000,
    mtimeMs: 0,
    title: 'Lecture 07 – Optics',
    state: 'sending',
    priority: 'normal',
    sentBytes: 500_000,
    bytesPerSecond: null,
    secondsLeft: null,
    attempts: 1,
    nextAttemptAt: null,
    mediaId: null,
    fileId: null,
    sha256: null,
    error: null,
    notice: null,
    movedFrom: null,
    addedAt: 0,
    endedAt: null,
    ...given,
  };
}

describe('sizes and times', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1.0 kB'],
    [999_600, '1.0 MB'],
    [9_960_000, '10 MB'],
    [38_400_000, '38 MB'],
    [17_179_869_184, '17 GB'],
  ])('%d bytes are shown as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [0.2, '1 s'],
    [59.1, '1 min'],
    [60, '1 min'],
    [61, '2 min'],
    [7_500, '2 h 05 min'],
    [200_000, '3 days'],
  ])('%d seconds are shown as %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));
});

describe('text on a terminal', () => {
  it('has no control characters when a file name contains them', () => {
    expect(printable('a\u001b[2Jb\u009bc\u202ed\ne')).toBe('a\ufffd[2Jb\ufffdc\ufffdd\ufffde');
    expect(changeLine(rowOf({ fileName: 'x\u001b]0;owned\u0007.wav', state: 'complete' }), 0)).not.toContain('\u001b');
  });

  it('is measured in columns of the terminal, not in characters', () => {
    expect(displayWidth('Müller')).toBe(6);
    expect(displayWidth('Mu\u0308ller')).toBe(6);
    expect(displayWidth('🎤 録音')).toBe(7);
  });

  it('has the exact width, and keeps the extension when it is shortened', () => {
    for (const name of ['Interview “Müller” 🎙.wav', '録音録音録音録音録音録音録音.wav', 'x'.repeat(80), '']) {
      for (const columns of [8, 12, 20, 36]) expect(displayWidth(fitInto(name, columns))).toBe(columns);
    }
    expect(fitInto('A very long name of a recording of a lecture.mp4', 20)).toMatch(/^A very long n….*\.mp4$/);
  });

  it('lines up in a table', () => {
    expect(
      table([
        ['a', 'Müller', 'x'],
        ['bcd', '録', 'y'],
      ]),
    ).toEqual(['a    Müller  x', 'bcd  録      y']);
  });
});

describe('progress', () => {
  it('counts only uploads since the start of the run', () => {
    const start = counts({ queued: 3, complete: 100, failed: 7 });
    expect(tally(start, counts({ sending: 1, complete: 101, failed: 8 }))).toEqual({
      total: 3,
      complete: 1,
      failed: 1,
      cancelled: 0,
    });
  });

  it('is 100 % only when every byte is sent', () => {
    expect(percentSent({ sentBytes: 999_999_999, totalBytes: 1_000_000_000 })).toBe(99);
    expect(percentSent({ sentBytes: 1_000, totalBytes: 1_000 })).toBe(100);
    expect(percentSent({ sentBytes: 0, totalBytes: 0 })).toBe(0);
  });

  it('shows the totals in one line', () => {
    const totals = totalsOf({ bytesPerSecond: 38_000_000, secondsLeft: 230 });
    const count = { total: 40, complete: 12, failed: 1, cancelled: 0 };
    expect(totalsLine(totals, count)).toBe('12 of 40 complete · 1 failed · 38 MB/s · 4 min left');
  });

  it('shows why everything is idle', () => {
    const totals = totalsOf({ blockedBy: appError('network.unreachable').toData() });
    expect(totalsLine(totals, { total: 2, complete: 0, failed: 0, cancelled: 0 })).toContain('can’t reach the library');
  });

  it('ends at 100 % when every upload has ended and the totals are zero', () => {
    const screen = { columns: 80, rows: 24, nowMs: 0 };
    const count = { total: 3, complete: 2, failed: 1, cancelled: 0 };
    expect(progressPicture(totalsOf({}), count, [], screen)[0]).toContain('100 %  2 of 3 complete · 1 failed');
  });

  it('is never wider than the terminal', () => {
    const active = Array.from({ length: 20 }, (_, index) =>
      rowOf({ id: `u${index}`, fileName: `${'録'.repeat(90)}.mp4` }),
    );
    for (const columns of [40, 80, 200]) {
      const lines = progressPicture(
        totalsOf({ counts: counts({ sending: 20 }), totalBytes: 100, sentBytes: 50 }),
        { total: 20, complete: 0, failed: 0, cancelled: 0 },
        active,
        { columns, rows: 10, nowMs: 0 },
      );
      expect(lines.length).toBeLessThan(10);
      for (const line of lines) expect(displayWidth(line)).toBeLessThan(columns);
    }
  });

  it('shows the state of an upload, with the reason if there is one, and no line for a queued upload', () => {
    expect(changeLine(rowOf({}), 0)).toBe('Lecture 07 – Optics.mp4: sending 2.0 MB');
    expect(changeLine(rowOf({ state: 'processing' }), 0)).toBe('Lecture 07 – Optics.mp4: processing');
    expect(
      changeLine(rowOf({ state: 'waiting', nextAttemptAt: 10_000, error: appError('upload.stalled').toData() }), 0),
    ).toBe('Lecture 07 – Optics.mp4: waiting, again in 10 s: The transfer stalled for too long.');
    expect(changeLine(rowOf({ state: 'queued' }), 0)).toBeNull();
  });
});

describe('an error', () => {
  it('is shown with its details and the next step', () => {
    const error = appError('site.unreachable', { details: { url: 'https://m.example', reason: 'ENOTFOUND' } });
    expect(errorLines(error.toData())).toEqual([
      'There’s no answer from this address.',
      'Reason: ENOTFOUND',
      'Address: https://m.example',
      'Check the address and your network connection, then try again.',
    ]);
  });
});
