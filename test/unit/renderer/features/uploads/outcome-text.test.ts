import { describe, expect, it } from 'vitest';
import { findingLines, reportText, sortedFindings } from '../../../../../renderer/features/settings/check-text.ts';
import { reportSentence } from '../../../../../renderer/features/settings/state/doctor-store.ts';
import { moreSentence, sourceSentence } from '../../../../../renderer/features/uploads/add/preview-text.ts';
import {
  duplicateFacts,
  duplicateOf,
  followUpLook,
  followUpSentence,
} from '../../../../../renderer/features/uploads/row/row-text.ts';
import { uploadLook } from '../../../../../renderer/kit/text/states.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import type { DoctorReport, Finding } from '../../../../../shared/contract/doctor.ts';
import type { FollowUpRow } from '../../../../../shared/contract/uploads.ts';
import { FOLLOW_UP_KINDS, FOLLOW_UP_STATES } from '../../../../../shared/model/uploads/follow-up-kinds.ts';
import { asksAboutDuplicate } from '../../../../../shared/model/uploads/upload-machine.ts';

const details = {
  mediaId: '7',
  title: 'Lecture 07',
  url: null,
  where: 'history',
  match: 'contents',
  uploadedAt: new Date(2026, 10, 19, 14, 2).getTime(),
};

describe('a duplicate', () => {
  const error = appError('upload.duplicate', { details }).toData();

  it('needs a decision and is not a failure', () => {
    const row = { state: 'failed', error } as const;
    expect(asksAboutDuplicate(row)).toBe(true);
    expect(uploadLook(row)).toEqual({ word: 'Needs decision', icon: 'unknown', tone: 'waiting' });
    expect(asksAboutDuplicate({ state: 'failed', error: appError('file.missing').toData() })).toBe(false);
  });

  it('is described by its title, the kind of match and the time of the earlier upload', () => {
    const duplicate = duplicateOf({ error });
    expect(duplicate?.title).toBe('Lecture 07');
    expect(duplicate && duplicateFacts(duplicate)).toBe('same contents, uploaded 19 Nov 2026, 14:02');
  });

  it('is not described when it has no details, and only by the valid ones when others are malformed', () => {
    expect(duplicateOf({ error: appError('upload.duplicate').toData() })).toBeNull();
    const odd = appError('upload.duplicate', { details: { mediaId: '7', title: 4, match: 'name-and-size' } }).toData();
    const duplicate = duplicateOf({ error: odd });
    expect(duplicate?.title).toBe('an item without a title');
    expect(duplicate && duplicateFacts(duplicate)).toBe('same title and size');
  });
});

describe('a waiting row', () => {
  it('states what it waits for', () => {
    const word = (code: Parameters<typeof appError>[0]) =>
      uploadLook({ state: 'waiting', error: appError(code).toData() }).word;
    expect(word('file.drive-gone')).toBe('Waiting for the drive');
    expect(word('network.unreachable')).toBe('Waiting for the network');
    expect(word('api.read-only')).toBe('Waiting for the library');
    expect(word('network.gateway')).toBe('Waiting for the library');
    expect(word('upload.connection-lost')).toBe('Waiting');
    expect(
      uploadLook({ state: 'waiting', error: { ...appError('internal').toData(), code: 'of.tomorrow' } }).word,
    ).toBe('Waiting');
  });
});

describe('a follow-up', () => {
  const followUp = (change: Partial<FollowUpRow>): FollowUpRow => ({
    kind: 'captions',
    state: 'done',
    fileName: 'lecture.en.vtt',
    error: null,
    ...change,
  });

  it('has a different word for each kind and state', () => {
    const words = FOLLOW_UP_KINDS.flatMap((kind) =>
      FOLLOW_UP_STATES.map((state) => followUpLook(followUp({ kind, state, fileName: '' })).word),
    );
    expect(new Set(words).size).toBe(words.length);
  });

  it('names the target folder of a moved file, on every system', () => {
    const word = (fileName: string) => followUpLook(followUp({ kind: 'source', fileName })).word;
    expect(word('/home/anna/Sent/lecture.mp4')).toBe('File moved to Sent');
    expect(word('D:\\Sent\\lecture.mp4')).toBe('File moved to Sent');
    expect(word('')).toBe('File moved to the trash');
  });

  it('states the cause and the next step when it failed', () => {
    const error = appError('source.held').toData();
    const sentence = followUpSentence(followUp({ kind: 'source', state: 'failed', fileName: '', error }));
    expect(sentence).toBe(`File on this computer: file not moved. ${error.message} ${error.nextStep}`);
  });
});

describe('the add sheet', () => {
  it('states when a file is moved, and that a kept file is not changed', () => {
    expect(sourceSentence('keep')).toBe('Mediadesk never changes your files.');
    for (const kind of ['move', 'trash'] as const)
      expect(sourceSentence(kind)).toContain('complete in the library, the sizes match');
    expect(moreSentence('ask', true, 'keep')).toBe(
      'asks about duplicates · with captions and thumbnails · keeps files',
    );
  });
});

describe('the report of a check', () => {
  const finding = (change: Partial<Finding>): Finding => ({
    code: 'rows.in-order',
    severity: 'ok',
    message: 'All is well.',
    nextStep: null,
    details: null,
    ...change,
  });
  const report: DoctorReport = {
    checkedAt: new Date(2026, 10, 21, 16, 50).getTime(),
    findings: [
      finding({}),
      finding({
        code: 'rows.shared-item',
        severity: 'problem',
        message: 'Two uploads share an item.',
        nextStep: 'Send the log.',
        details: { count: 2, first: [{ id: 'u1', fileName: 'a.mp4', mediaIds: ['1', '2'] }, 'b.mp4'] },
      }),
      finding({ code: 'history.duplicates', severity: 'warning' }),
    ],
  };

  it('lists problems first', () => {
    expect(sortedFindings(report).map(({ severity }) => severity)).toEqual(['problem', 'warning', 'ok']);
    expect(reportSentence(report)).toBe('Checked: 1 problem, 1 warning, 1 check without problems.');
  });

  it('shows details as lines, never as JSON', () => {
    expect(findingLines(report.findings[1] as Finding)).toEqual([
      { label: 'Count', text: '2' },
      { label: 'Affected', text: 'a.mp4 (id: u1; media ids: 1, 2)' },
      { label: 'Affected', text: 'b.mp4' },
    ]);
  });

  it('can be copied as text', () => {
    const text = reportText(report, '0.1.0');
    expect(text).toContain('Problem (rows.shared-item): Two uploads share an item.\n  What you can do: Send the log.');
    expect(text).not.toMatch(/[{}[\]]|undefined|null/);
  });
});
