import { expect, it } from 'vitest';
import { momentOf, sendInOrder } from '../../../../electron/engine/edits/replay/send-in-order.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const clock = new ManualClock();

/** Sends two requests, the first of which carries two ops on one value; returns what was noted. */
async function sent(second: () => Promise<void>) {
  const noted: { sending: number[][]; accepted: number[][] } = { sending: [], accepted: [] };
  const title = { positions: [0, 2] };
  const byline = { positions: [1] };
  await sendInOrder(
    [
      { ops: [title], send: async () => {} },
      { ops: [byline], send: second },
    ],
    new Map(),
    {
      signal: new AbortController().signal,
      clock,
      readAt: momentOf(clock),
      onSending: (positions) => noted.sending.push([...positions]),
      onAccepted: (positions) => noted.accepted.push([...positions]),
      tookEffect: async () => false,
      reasonOf: async (error) => ({ error, tookNoEffect: true }),
    },
  );
  return noted;
}

it('only the op whose value was sent is noted as accepted, not an earlier one that it replaced', async () => {
  expect(await sent(async () => {})).toEqual({ sending: [[2], [1]], accepted: [[2], [1]] });
});

it('an op whose request failed is not noted as accepted', async () => {
  const refused = () => Promise.reject(appError('api.invalid'));
  expect(await sent(refused)).toEqual({ sending: [[2], [1]], accepted: [[2]] });
});
