import { expect, it } from 'vitest';
import { cancelEffect } from '../../../../shared/model/uploads/cancel-effects.ts';
import { commandApplies } from '../../../../shared/model/uploads/upload-machine.ts';
import { UPLOAD_STATES } from '../../../../shared/model/uploads/upload-states.ts';
import { anUpload } from '../../../helpers/data/upload-rows.ts';

it('a cancel has an effect in exactly the states that can be cancelled', () => {
  for (const state of UPLOAD_STATES) {
    expect(cancelEffect(anUpload({ state }), false) !== null).toBe(commandApplies('cancel', state));
  }
});

it.each([
  ['queued', {}, false, 'waiting'],
  ['preparing', {}, false, 'waiting'],
  ['waiting', { sendStartedAt: 1 }, false, 'waiting'],
  ['failed', {}, false, 'waiting'],
  ['sending', {}, false, 'sending'],
  ['paused', {}, true, 'sending'],
  ['finishing', { sentAt: 2 }, true, 'delivered'],
  ['paused', { sentAt: 2 }, false, 'delivered'],
  ['waiting', { sentAt: 2 }, false, 'delivered'],
  ['processing', { finishedAt: 3 }, false, 'delivered'],
  ['failed', { sentAt: 2, finishedAt: 3 }, false, 'delivered'],
  ['publishing', { sentAt: 2, finishedAt: 3, completedAt: 4 }, false, 'kept'],
  ['failed', { finishedAt: 3, completedAt: 4 }, false, 'kept'],
] as const)(
  'a cancel of an upload that is %s (%o, connected: %s) has the effect %s',
  (state, facts, isTransferring, effect) => {
    expect(cancelEffect(anUpload({ state, ...facts }), isTransferring)).toBe(effect);
  },
);
