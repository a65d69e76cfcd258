import { describe, expect, it } from 'vitest';
import {
  CountingClock,
  failureOf,
  makeFile,
  type Sending,
  serve,
  startSending,
} from '../../../helpers/sender/form-sending.ts';
import { takeAll } from '../../../helpers/sender/form-taker.ts';
import { turns, untilQuiet } from '../../../helpers/sender/form-turns.ts';

const MIB = 1024 * 1024;
const BIG = 24 * MIB;

describe('an abort', () => {
  const reason = new Error('cancelled by the user');

  /** Checks that the transfer ends immediately with exactly that reason, and leaves no listener, timer or connection. */
  async function expectAborted(sending: Sending, clock: CountingClock) {
    sending.abort(reason);
    expect(await failureOf(sending)).toBe(reason);
    expect(sending.leftovers().listeners).toBe(0);
    expect(clock.pending).toBe(0);
    // The test times out if the code under test does not close the connection.
    while (sending.leftovers().connections > 0) await turns(1);
  }

  it('before the start of a transfer prevents any connection', async () => {
    const server = await serve(() => {});
    const clock = new CountingClock();
    const signal = AbortSignal.abort(reason);
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path, { clock, signal });
    expect(await failureOf(sending)).toBe(reason);
    expect(clock.pending).toBe(0);
    expect(server.peers).toHaveLength(0);
  });

  it('ends a transfer that is connecting', async () => {
    const server = await serve(() => {});
    const clock = new CountingClock();
    const file = await makeFile(BIG);
    await expectAborted(await startSending(server.url, file.path, { clock }), clock);
  });

  it('ends a transfer that waits for “100 Continue”', async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const server = await serve(async (peer) => {
      await peer.readHead();
      asked();
      await peer.untilGone();
    });
    const clock = new CountingClock();
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path, { clock });
    await isAsked;
    await expectAborted(sending, clock);
    await server.scriptsEnded();
  });

  it('ends a transfer in the middle of the file', async () => {
    const { server } = await takeAll();
    const clock = new CountingClock();
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path, { clock });
    await sending.reached(3 * MIB);
    await expectAborted(sending, clock);
    await server.scriptsEnded();
  });

  it('ends a transfer whose destination reads nothing', async () => {
    const server = await serve(async (peer) => {
      await peer.readHead();
      peer.goAhead();
    });
    const clock = new CountingClock();
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path, { clock });
    await sending.reached(1);
    await untilQuiet(() => sending.progress.length);
    await expectAborted(sending, clock);
    await server.peers[0]?.untilGone();
  });

  it('ends a paused transfer', async () => {
    const { server } = await takeAll();
    const clock = new CountingClock();
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path, { clock });
    await sending.reached(MIB);
    sending.gate.hold();
    await untilQuiet(() => sending.progress.length);
    await expectAborted(sending, clock);
    await server.scriptsEnded();
  });

  it('ends a transfer that a bandwidth limit delays', async () => {
    const { server } = await takeAll();
    const clock = new CountingClock();
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path, { clock }, (_gate, limit) => limit.set(MIB));
    await sending.reached(1);
    await expectAborted(sending, clock);
    await server.scriptsEnded();
  });

  it('ends a transfer that waits for the answer', async () => {
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      await peer.readBody(head);
      await peer.untilGone();
    });
    const clock = new CountingClock();
    const file = await makeFile(10);
    let sent = () => {};
    const allSent = new Promise<void>((resolve) => {
      sent = resolve;
    });
    const sending = await startSending(server.url, file.path, { clock, onAllSent: () => sent() });
    await allSent;
    await expectAborted(sending, clock);
    await server.scriptsEnded();
  });

  it.each([200, 403])('ends a transfer when only a part of the body of an answer %i has arrived', async (status) => {
    let answered = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      await peer.readBody(head);
      peer.socket.write(`HTTP/1.1 ${status} Status\r\nContent-Length: 100\r\n\r\nmore to`, answered);
      await peer.untilGone();
    });
    const clock = new CountingClock();
    const file = await makeFile(10);
    const sending = await startSending(server.url, file.path, { clock });
    await isAnswered;
    await turns(20);
    await expectAborted(sending, clock);
    await server.scriptsEnded();
  });

  it('ends a transfer when only a part of the body of an early refusal has arrived', async () => {
    const server = await serve(async (peer) => {
      await peer.readHead();
      peer.write('HTTP/1.1 403 No\r\nContent-Length: 100\r\n\r\nmore to');
      await peer.untilGone();
    });
    const clock = new CountingClock();
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path, { clock });
    while (server.peers.length === 0) await turns(1);
    await turns(50);
    await expectAborted(sending, clock);
    await server.scriptsEnded();
  });

  it('ends a transfer while the disk does not answer', async () => {
    const { server } = await takeAll();
    const clock = new CountingClock();
    const file = await makeFile(BIG);
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const hung = {
      read: () => {
        asked();
        return new Promise<number>(() => {});
      },
      facts: async () => ({ kind: 'file' as const, sizeBytes: BIG, mtimeMs: 1, identity: '1:1' }),
      path: async () => null,
      close: async () => {},
    };
    const sending = await startSending(server.url, file.path, { clock, file: hung });
    await isAsked;
    await expectAborted(sending, clock);
    await server.scriptsEnded();
  });

  it.each([
    ['before the first byte of the file', 'before', 2 * MIB, 3],
    ['while the file is sent', 'during', BIG, 10],
    ['after the last byte, unless the file was accepted', 'after', 2 * MIB, 10],
  ])('ends a transfer at any moment %s', async (_moment, phase, sizeBytes, leastRounds) => {
    const file = await makeFile(sizeBytes);
    let rounds = 0;
    for (let round = 0; round < 20; round += 1) {
      const server = await serve(async (peer) => {
        const head = await peer.readHead();
        peer.goAhead();
        await peer.readBody(head);
        await turns(15);
        peer.answer(204);
      });
      const clock = new CountingClock();
      const phases = ['before'];
      const allSent = Promise.withResolvers<void>();
      const onAllSent = () => {
        phases.push('after');
        allSent.resolve();
      };
      const sending = await startSending(server.url, file.path, { clock, onAllSent });
      const firstSent = sending.reached(1).then(() => phases.push('during'));
      if (phase === 'during') await firstSent;
      if (phase === 'after') await allSent.promise;
      await turns(round);
      if (sending.hasEnded() || phases.at(-1) !== phase) break;
      rounds += 1;
      sending.abort(reason);
      const outcome = await sending.ended;
      // A file that was accepted at the same moment stays accepted; any other transfer ends with the reason.
      if (phase !== 'after' || 'error' in outcome) expect(outcome).toEqual({ error: reason });
      expect(sending.leftovers().listeners).toBe(0);
      expect(clock.pending).toBe(0);
    }
    expect(rounds).toBeGreaterThanOrEqual(leastRounds);
  });
});
