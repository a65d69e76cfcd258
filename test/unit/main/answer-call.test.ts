import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { answerCall, type CallHandler } from '../../../electron/main/answer-call.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { CALLS } from '../../../shared/contract/contract.ts';

const answering = (answer: () => unknown): CallHandler => (async () => answer()) as CallHandler;

describe('a call from the screen', () => {
  it('returns the answer of the engine without fields that the contract does not name', async () => {
    const handle = answering(() => ({ path: '/x/receipt.csv', secret: 'token' }));
    const reply = await answerCall(handle, silentLogger, 'shell.saveReceipt', { batchId: 'b', format: 'csv' });
    expect(reply).toEqual({ ok: true, value: { path: '/x/receipt.csv' } });
  });

  it('returns an error of the engine with its code, message and next step', async () => {
    const handle = answering(() => {
      throw appError('file.missing', { details: { path: '/x' } });
    });
    const reply = await answerCall(handle, silentLogger, 'sites.list', null);
    expect(reply).toMatchObject({ ok: false, error: { code: 'file.missing', details: { path: '/x' } } });
  });

  it('returns the error internal and logs it when the handler has a bug', async () => {
    const logged: unknown[] = [];
    const logger = { ...silentLogger, error: (event: string, fields?: object) => logged.push([event, fields]) };
    const handle = answering(() => {
      throw new TypeError('x is undefined');
    });
    const reply = await answerCall(handle, logger, 'sites.list', null);
    expect(reply).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(logged).toHaveLength(1);
  });

  it('returns an error when the answer breaks the contract', async () => {
    const reply = await answerCall(
      answering(() => [{ id: 1 }]),
      silentLogger,
      'sites.list',
      null,
    );
    expect(reply).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  it.each(['nothing', '', 'constructor', '__proto__', 'toString', null, undefined, 7, {}, ['sites.list']])(
    'with the unknown name %j is refused before it reaches the engine or the shell',
    async (name) => {
      const handle = answering(() => expect.unreachable());
      expect(await answerCall(handle, silentLogger, name, null)).toMatchObject({
        ok: false,
        error: { code: 'input.invalid' },
      });
    },
  );

  it.each(Object.keys(CALLS))('to %s returns a reply for any input, and never throws', async (name) => {
    let handled = 0;
    const handle = answering(() => {
      handled += 1;
      throw appError('internal');
    });
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(fc.anything({ withBigInt: true, withNullPrototype: true, withMap: true }), async (input) => {
        asked += 1;
        const reply = await answerCall(handle, silentLogger, name, input);
        expect(reply.ok).toBe(false);
      }),
      { numRuns: 1_000 },
    );
    expect(handled).toBeLessThan(asked);
  });
});
