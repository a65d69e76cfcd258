import { describe, expect, it } from 'vitest';
import { afterFollowUpFailure } from '../../../../../electron/engine/uploads/follow-ups/follow-up-failure.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../../shared/contract/errors/error-catalog.ts';
import { type FollowUp, newFollowUp } from '../../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../../shared/model/uploads/upload.ts';
import { applyUploadEvent } from '../../../../../shared/model/uploads/upload-machine.ts';
import { anUpload } from '../../../../helpers/data/upload-rows.ts';

const captions = newFollowUp({ kind: 'captions', path: '/rec/a.vtt', fileName: 'a.vtt' });

/** The waits in seconds of consecutive failures, up to the last; `answered`: the successful requests before each. */
function waitsOf(start: Partial<FollowUp>, code: ErrorCode, answered: (round: number) => number): number[] {
  let upload: Upload = anUpload({ state: 'complete', followUps: [{ ...captions, ...start }] });
  const waits: number[] = [];
  for (let round = 0; round < 100; round += 1) {
    const followUp = upload.followUps[0] ?? captions;
    const event = afterFollowUpFailure(followUp, 0, appError(code).toData(), 0, answered(round));
    upload = applyUploadEvent(upload, event);
    if (event.kind !== 'follow-up-delayed') return waits;
    waits.push(event.until / 1000);
  }
  throw new Error('it never ends');
}

describe('the retries of a follow-up', () => {
  it('wait as the API’s backoff says for one request, 14 times', () => {
    expect(waitsOf({}, 'api.server-error', () => 0)).toEqual(Array.from({ length: 14 }, (_, n) => 5 * 2 ** (n + 1)));
  });

  it('are counted separately for each of its requests', () => {
    expect(waitsOf({}, 'api.server-error', (round) => Math.min(round, 3)).slice(0, 6)).toEqual([
      10, 10, 10, 10, 20, 40,
    ]);
  });

  it('end when captions are lost again after every delivery, however many requests succeed', () => {
    const retriesByStep = { delivery: { count: 13, answered: 0 } };
    expect(waitsOf({ retriesByStep, sentAt: 1 }, 'upload.not-received', (round) => round + 20)).toEqual([81_920]);
  });
});
