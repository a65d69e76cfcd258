import { describe, expect, it } from 'vitest';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { BandwidthLimit } from '../../../../electron/engine/uploads/delivery/sender/bandwidth-limit.ts';
import { TransferGate } from '../../../../electron/engine/uploads/delivery/sender/send-gate.ts';
import { makeFile, serve, startSending } from '../../../helpers/sender/form-sending.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const MIB = 1024 * 1024;
const never = new AbortController().signal;
/** A busy machine may be slower than the limit, but not more than 10 % faster. The tests with a manual clock are more precise. */
const isKept = (ratio: number) => ratio > 0.5 && ratio < 1.1;

/** Runs several senders that always have bytes to send, on a manual clock. Returns the bytes of each. */
async function run(
  clock: ManualClock,
  limit: BandwidthLimit,
  senders: number,
  seconds: number,
  onMs?: (ms: number) => void,
) {
  const stop = new AbortController();
  const got = Array.from({ length: senders }, () => 0);
  for (let index = 0; index < senders; index += 1) {
    void (async () => {
      const gate = new TransferGate(limit);
      for (;;) {
        const bytes = await gate.pass(MIB, stop.signal);
        got[index] = (got[index] ?? 0) + bytes;
        // A write takes some time; otherwise a sender without a limit would never yield.
        await new Promise((next) => clock.schedule(1, () => next(null)));
      }
    })().catch(() => {});
  }
  for (let ms = 0; ms < seconds * 1000; ms += 1) {
    onMs?.(ms);
    clock.advance(1);
    await new Promise(setImmediate);
  }
  stop.abort();
  return got;
}

describe('a bandwidth limit', () => {
  it.each([50_000, 1_000_000, 20_000_000])('of %i bytes per second is kept within 10 %', async (bytesPerSecond) => {
    const clock = new ManualClock();
    const limit = new BandwidthLimit(clock);
    limit.set(bytesPerSecond);
    const [sent = 0] = await run(clock, limit, 1, 4);
    expect(sent / (bytesPerSecond * 4)).toBeGreaterThan(0.9);
    expect(sent / (bytesPerSecond * 4)).toBeLessThan(1.1);
  });

  it('of 100 bytes per second lets none of 16 transfers wait for 15 seconds', async () => {
    const clock = new ManualClock();
    const limit = new BandwidthLimit(clock);
    limit.set(100);
    const stop = new AbortController();
    const idle: number[] = [];
    const senders = Array.from({ length: 16 }, async () => {
      const gate = new TransferGate(limit);
      for (let last = clock.monotonic(); ; last = clock.monotonic()) {
        await gate.pass(MIB, stop.signal);
        idle.push(clock.monotonic() - last);
      }
    });
    for (let second = 0; second < 120; second += 1) {
      clock.advance(1000);
      await new Promise(setImmediate);
    }
    stop.abort(new Error('enough'));
    await Promise.allSettled(senders);
    expect(idle.length).toBeGreaterThan(16 * 10);
    expect(Math.max(...idle)).toBeLessThan(15_000);
  });

  it('is shared by four transfers, and each of them gets more than a tenth', async () => {
    const clock = new ManualClock();
    const limit = new BandwidthLimit(clock);
    limit.set(2_000_000);
    const got = await run(clock, limit, 4, 5);
    const total = got.reduce((sum, bytes) => sum + bytes, 0);
    expect(total / 10_000_000).toBeGreaterThan(0.9);
    expect(total / 10_000_000).toBeLessThan(1.1);
    for (const bytes of got) expect(bytes / total).toBeGreaterThan(0.1);
  });

  it('takes effect within one second of a change or its removal', async () => {
    const clock = new ManualClock();
    const limit = new BandwidthLimit(clock);
    limit.set(100_000);
    let before = 0;
    const perSecond: number[] = [];
    const stop = new AbortController();
    let sent = 0;
    void (async () => {
      const gate = new TransferGate(limit);
      for (;;) {
        const bytes = await gate.pass(MIB, stop.signal);
        sent += bytes;
        await new Promise((next) => clock.schedule(1, () => next(null)));
      }
    })().catch(() => {});
    for (let ms = 0; ms < 8000; ms += 1) {
      if (ms === 2000) limit.set(2_000_000);
      if (ms === 4000) limit.set(100_000);
      if (ms === 6000) limit.set(null);
      clock.advance(1);
      await new Promise(setImmediate);
      if (ms % 1000 === 999) {
        perSecond.push(sent - before);
        before = sent;
      }
    }
    stop.abort();
    // The second in which the limit changes is not checked; the next second must be exact.
    expect(perSecond[1]).toBeLessThan(110_000);
    expect(perSecond[3]).toBeGreaterThan(1_800_000);
    expect(perSecond[3]).toBeLessThan(2_200_000);
    expect(perSecond[5]).toBeLessThan(110_000);
    expect(perSecond[7]).toBeGreaterThan(100_000_000);
  });

  it('releases bytes in small portions, so that transfers share it fairly', async () => {
    const clock = new ManualClock();
    const limit = new BandwidthLimit(clock);
    expect(await limit.take(MIB, never)).toBe(MIB);
    limit.set(1_000_000);
    const shares = [limit.take(MIB, never), limit.take(MIB, never)];
    clock.advance(1000);
    for (const share of await Promise.all(shares)) expect(share).toBeLessThanOrEqual(200_000);
  });

  it('delays nothing before it is set', async () => {
    const limit = new BandwidthLimit(new ManualClock());
    await limit.take(100 * MIB, never);
  });

  it('is kept at the receivers three seconds after it changed during two real transfers', {
    timeout: 300_000,
  }, async () => {
    const slow = 500_000;
    const fast = 2_000_000;
    const limit = new BandwidthLimit(nodeClock);
    limit.set(slow);
    const file = await makeFile(20_000_000);
    const taken = [0, 0];
    const server = await serve(async (peer, index) => {
      await peer.readHead();
      peer.goAhead();
      for (let chunk = await peer.read(); chunk !== null; chunk = await peer.read()) {
        taken[index] = (taken[index] ?? 0) + chunk.length;
      }
    });
    const members = [limit.join(), limit.join()];
    const sendings = await Promise.all(
      [0, 1].map(() => startSending(server.url, file.path, { gate: new TransferGate(limit) })),
    );
    const sum = () => (taken[0] ?? 0) + (taken[1] ?? 0);
    const rest = (ms: number) => new Promise((resolve) => nodeClock.schedule(ms, () => resolve(null)));
    /** Returns the bytes per second at the receivers over a period. */
    const measured = async (overMs: number) => {
      const before = { bytes: sum(), at: nodeClock.monotonic() };
      await rest(overMs);
      return ((sum() - before.bytes) / (nodeClock.monotonic() - before.at)) * 1000;
    };
    await rest(3000);
    expect((await measured(3000)) / slow).toSatisfy(isKept);
    limit.set(fast);
    await rest(3000);
    expect((await measured(3000)) / fast).toSatisfy(isKept);
    limit.set(slow);
    await rest(3000);
    expect((await measured(3000)) / slow).toSatisfy(isKept);
    // Each of the two senders transferred half of the bytes.
    expect((taken[0] ?? 0) / sum()).toBeGreaterThan(0.4);
    expect((taken[0] ?? 0) / sum()).toBeLessThan(0.6);
    for (const sending of sendings) sending.abort(new Error('enough'));
    for (const leave of members) leave();
  });

  it('is kept at the receiver over three seconds of a real transfer', async () => {
    const bytesPerSecond = 4 * MIB;
    const file = await makeFile(3 * bytesPerSecond);
    let firstAt = 0;
    let lastAt = 0;
    const server = await serve(async (peer) => {
      const head = await peer.readHead();
      peer.goAhead();
      firstAt = performance.now();
      await peer.readBody(head);
      lastAt = performance.now();
      peer.answer(204);
    });
    const sending = await startSending(server.url, file.path, { clock: nodeClock }, (_gate, limit) =>
      limit.set(bytesPerSecond),
    );
    expect(await sending.ended).toEqual({ status: 204, sha256: file.sha256 });
    const measured = file.content.length / ((lastAt - firstAt) / 1000);
    expect(measured / bytesPerSecond).toSatisfy(isKept);
  });
});
