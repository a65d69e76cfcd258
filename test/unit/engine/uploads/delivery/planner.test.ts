import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  DESTINATION_FRESH_MS,
  failedStep,
  nextStep,
} from '../../../../../electron/engine/uploads/delivery/planner.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../../../shared/contract/errors/error-catalog.ts';
import { MAX_RETRIES, retryDelayMs } from '../../../../../shared/model/backoff.ts';
import type { Upload } from '../../../../../shared/model/uploads/upload.ts';
import { applyUploadEvent } from '../../../../../shared/model/uploads/upload-machine.ts';
import { anUpload, DESTINATION } from '../../../../helpers/data/upload-rows.ts';

const withItem = { state: 'preparing', itemIntentAt: 1, mediaId: 'm1' } as const;
const withFile = {
  ...withItem,
  duplicateCheckedAt: 1,
  fileIntentAt: 2,
  fileId: 'f1',
  destination: DESTINATION,
  destinationAt: 1000,
} as const;

const SENDING = { step: 'send', answered: 0 } as const;

const TABLE: [string, Partial<Upload>, string][] = [
  ['a new upload asks first whether its collection has it already', {}, 'check-duplicates'],
  ['an upload that is new to its collection makes its item', { duplicateCheckedAt: 1 }, 'create-item'],
  ['an upload that is to go anyway asks nothing', { duplicates: 'upload' }, 'create-item'],
  ['an item that was not judged yet gets no file before', withItem, 'check-duplicates'],
  ['an item that may exist is looked up before another is created', { itemIntentAt: 1 }, 'look-up-item'],
  ['an item without a file gets a placeholder', { ...withItem, duplicateCheckedAt: 1 }, 'create-file'],
  ['a placeholder that may exist is cleared first', { ...withItem, fileIntentAt: 2 }, 'clear-files'],
  ['a fresh destination is used at once', withFile, 'send'],
  [
    'a destination that was not used is left until the upload is judged anew',
    { ...withFile, duplicateCheckedAt: null },
    'check-duplicates',
  ],
  ['a destination that was used is asked about', { ...withFile, sendStartedAt: 3 }, 'check-file'],
  [
    'a file that is no good goes before another is made',
    { ...withFile, fileIntentAt: null, destination: null },
    'drop-file',
  ],
  ['a lost destination is asked about', { ...withFile, destination: null }, 'check-file'],
  ['delivered bytes are reported', { ...withFile, sendStartedAt: 3, sentAt: 4 }, 'finish'],
  ['a reported file is followed', { ...withFile, sentAt: 4, finishedAt: 5, state: 'processing' }, 'poll'],
  ['a complete file is published', { ...withFile, sentAt: 4, finishedAt: 5, completedAt: 6 }, 'publish'],
  ['a paused upload rests', { ...withFile, state: 'paused' }, 'none'],
  ['a complete upload rests', { ...withFile, state: 'complete' }, 'none'],
  ['a cancelled upload whose item may exist leaves none behind', { state: 'cancelled', itemIntentAt: 1 }, 'clean-up'],
  ['a failed upload rests', { state: 'failed' }, 'none'],
  ['a skipped upload rests', { state: 'skipped' }, 'none'],
  ['a skipped upload with an item is cleaned up', { ...withItem, state: 'skipped' }, 'clean-up'],
  ['a cancelled upload without traces rests', { state: 'cancelled' }, 'none'],
  ['a cancelled upload with an item is cleaned up', { ...withItem, state: 'cancelled' }, 'clean-up'],
  ['a cancelled upload that was complete is left alone', { ...withFile, completedAt: 6, state: 'cancelled' }, 'none'],
];

describe('planner', () => {
  it.each(TABLE)('%s', (_, changes, kind) => {
    expect(nextStep(anUpload(changes), 1000).kind).toBe(kind);
  });

  it('checks a destination that is old, or dated in the future', () => {
    const upload = anUpload(withFile);
    expect(nextStep(upload, 1000 + DESTINATION_FRESH_MS).kind).toBe('send');
    expect(nextStep(upload, 1001 + DESTINATION_FRESH_MS).kind).toBe('check-file');
    expect(nextStep(upload, 999).kind).toBe('check-file');
  });

  it('retries with the backoff of the API, 10 s to 81,920 s, fourteen times, then fails', () => {
    let upload = anUpload({ state: 'sending' });
    const waits: number[] = [];
    const error = appError('api.server-error').toData();
    for (;;) {
      const event = afterFailure(upload, error, 0, SENDING);
      upload = applyUploadEvent(upload, event);
      if (event.kind !== 'delayed') break;
      waits.push(event.until / 1000);
    }
    expect(waits).toEqual(Array.from({ length: 14 }, (_, n) => 5 * 2 ** (n + 1)));
    expect(waits.at(-1)).toBe(81_920);
    expect(upload).toMatchObject({ state: 'failed', error: { code: 'api.server-error' } });
  });

  it('waits at least as long as Retry-After and as the backoff', () => {
    const waitMs = (code: ErrorCode, retryAfterMs: number) => {
      const error = appError(code, { details: { retryAfterMs } }).toData();
      const event = afterFailure(anUpload({ state: 'sending' }), error, 1000, SENDING);
      return event.kind === 'delayed' ? event.until - 1000 : null;
    };
    expect(waitMs('api.server-error', 120_000)).toBe(120_000);
    expect(waitMs('api.server-error', 3000)).toBe(10_000);
    expect(waitMs('api.read-only', 45_000)).toBe(45_000);
    expect(waitMs('upload.refused', 45_000)).toBeNull();
  });

  it('counts the loss of a file or item as a failure of the delivery', () => {
    const made = anUpload({ mediaId: 'm1', fileId: 'f1' });
    expect(failedStep('finish', 3, made, anUpload({ mediaId: 'm1' }))).toEqual({ step: 'delivery', answered: 0 });
    expect(failedStep('create-file', 1, made, anUpload())).toEqual({ step: 'delivery', answered: 0 });
    expect(failedStep('publish', 3, made, made)).toEqual({ step: 'publish', answered: 3 });
    // Polls of the file around a notification do not count as progress of the notification.
    expect(failedStep('finish', 3, made, made)).toEqual({ step: 'finish', answered: 0 });
    expect(failedStep('create-file', 0, anUpload(), made)).toEqual({ step: 'create-file', answered: 0 });
  });

  it('plans no delay for a retry number below 1 or above the maximum', () => {
    expect(retryDelayMs(0)).toBeNull();
    expect(retryDelayMs(MAX_RETRIES + 1)).toBeNull();
  });

  it('has exactly one consequence for every error of the catalog', () => {
    for (const [code, { disposition }] of Object.entries(ERROR_CATALOG)) {
      const event = afterFailure(anUpload(), { code, message: 'm', nextStep: null, details: null }, 100, SENDING);
      const expected = {
        retry: { kind: 'delayed', failed: SENDING },
        'wait-network': { kind: 'delayed', failed: null },
        'wait-site': { kind: 'delayed', failed: null },
        'wait-keychain': { kind: 'delayed', failed: null },
        'wait-disk': { kind: 'delayed', failed: null },
        'sign-in': { kind: 'put-back' },
        ask: { kind: 'failed' },
        permanent: { kind: 'failed' },
      }[disposition];
      expect(event, code).toMatchObject(expected);
    }
  });

  it('fails an upload on an unknown error', () => {
    const event = afterFailure(
      anUpload(),
      { code: 'never.heard', message: 'm', nextStep: null, details: null },
      100,
      SENDING,
    );
    expect(event.kind).toBe('failed');
  });
});
