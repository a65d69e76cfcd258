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
  ['first checks whether the collection of a new upload has its contents already', {}, 'check-duplicates'],
  ['creates the item of an upload whose contents are new to its collection', { duplicateCheckedAt: 1 }, 'create-item'],
  ['checks for no duplicates when the upload allows them', { duplicates: 'upload' }, 'create-item'],
  ['checks for duplicates before an existing item gets a file', withItem, 'check-duplicates'],
  ['looks up an item that may exist before it creates another', { itemIntentAt: 1 }, 'look-up-item'],
  ['creates a placeholder for an item without a file', { ...withItem, duplicateCheckedAt: 1 }, 'create-file'],
  ['removes a placeholder that may exist before it creates another', { ...withItem, fileIntentAt: 2 }, 'clear-files'],
  ['sends to a new destination at once', withFile, 'send'],
  [
    'checks for duplicates before it sends to an unused destination',
    { ...withFile, duplicateCheckedAt: null },
    'check-duplicates',
  ],
  ['checks the media file when its destination was used', { ...withFile, sendStartedAt: 3 }, 'check-file'],
  [
    'deletes an unusable media file before it creates another',
    { ...withFile, fileIntentAt: null, destination: null },
    'drop-file',
  ],
  ['checks the media file when its destination is lost', { ...withFile, destination: null }, 'check-file'],
  ['notifies the library of delivered bytes', { ...withFile, sendStartedAt: 3, sentAt: 4 }, 'finish'],
  [
    'polls a file of which the library was notified',
    { ...withFile, sentAt: 4, finishedAt: 5, state: 'processing' },
    'poll',
  ],
  ['publishes the item of a complete file', { ...withFile, sentAt: 4, finishedAt: 5, completedAt: 6 }, 'publish'],
  ['plans nothing for a paused upload', { ...withFile, state: 'paused' }, 'none'],
  ['plans nothing for a complete upload', { ...withFile, state: 'complete' }, 'none'],
  ['cleans up a cancelled upload whose item may exist', { state: 'cancelled', itemIntentAt: 1 }, 'clean-up'],
  ['plans nothing for a failed upload', { state: 'failed' }, 'none'],
  ['plans nothing for a skipped upload without an item', { state: 'skipped' }, 'none'],
  ['cleans up a skipped upload with an item', { ...withItem, state: 'skipped' }, 'clean-up'],
  ['plans nothing for a cancelled upload that created nothing', { state: 'cancelled' }, 'none'],
  ['cleans up a cancelled upload with an item', { ...withItem, state: 'cancelled' }, 'clean-up'],
  [
    'plans nothing for a cancelled upload that was complete',
    { ...withFile, completedAt: 6, state: 'cancelled' },
    'none',
  ],
];

describe('planner', () => {
  it.each(TABLE)('%s', (_, changes, kind) => {
    expect(nextStep(anUpload(changes), 1000).kind).toBe(kind);
  });

  it('checks a destination that is old, or dated in the future; its age counts from its request', () => {
    const upload = anUpload(withFile);
    expect(nextStep(upload, 2 + DESTINATION_FRESH_MS).kind).toBe('send');
    expect(nextStep(upload, 3 + DESTINATION_FRESH_MS).kind).toBe('check-file');
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
