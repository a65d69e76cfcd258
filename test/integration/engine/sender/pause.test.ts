import { describe, expect, it } from 'vitest';
import { readForm } from '../../../helpers/sender/form-reading.ts';
import { failureOf, makeFile, serve, startSending } from '../../../helpers/sender/form-sending.ts';
import { takeAll } from '../../../helpers/sender/form-taker.ts';
import { turns, untilQuiet } from '../../../helpers/sender/form-turns.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const MIB = 1024 * 1024;
const BIG = 24 * MIB;

describe('a pause', () => {
  it('stops the bytes without a stall timeout, and the transfer continues on the same connection with no byte sent twice', async () => {
    const clock = new ManualClock();
    const { server, got } = await takeAll();
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path, { clock });
    await sending.reached(2 * MIB);
    sending.gate.hold();
    await untilQuiet(() => got.takenBytes + sending.progress.length);
    const heldAt = sending.progress.at(-1) ?? 0;
    expect(heldAt).toBeLessThan(BIG);
    for (let minute = 0; minute < 30; minute += 1) {
      clock.advance(60_000);
      await turns(2);
    }
    expect(sending.hasEnded()).toBe(false);
    expect(sending.progress.at(-1)).toBe(heldAt);
    sending.gate.release();
    expect(await sending.ended).toEqual({ status: 204, sha256: file.sha256 });
    expect(server.peers).toHaveLength(1);
    expect(readForm(got.body(), got.boundary).at(-1)?.content.equals(file.content)).toBe(true);
  });

  it('can be repeated during one transfer', async () => {
    const { server, got } = await takeAll();
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path);
    for (let at = MIB; at < 20 * MIB; at += 3 * MIB) {
      await sending.reached(at);
      sending.gate.hold();
      sending.gate.hold();
      await turns(5);
      sending.gate.release();
      sending.gate.release();
    }
    expect(await sending.ended).toEqual({ status: 204, sha256: file.sha256 });
    expect(readForm(got.body(), got.boundary).at(-1)?.content.equals(file.content)).toBe(true);
  });

  it('that begins before the first byte delays the file until the pause ends', async () => {
    const { server, got } = await takeAll();
    const file = await makeFile(1000);
    const sending = await startSending(server.url, file.path, {}, (gate) => gate.hold());
    await untilQuiet(() => got.takenBytes);
    expect(sending.progress).toEqual([]);
    sending.gate.release();
    expect(await sending.ended).toEqual({ status: 204, sha256: file.sha256 });
  });

  it('ends with an error when the destination closes the connection meanwhile', async () => {
    let cut = () => {};
    const server = await serve(async (peer) => {
      cut = () => peer.cut();
      await peer.readHead();
      peer.goAhead();
      await peer.readExactly(BIG);
    });
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path);
    await sending.reached(2 * MIB);
    sending.gate.hold();
    await untilQuiet(() => sending.progress.length);
    cut();
    const error = await failureOf(sending);
    expect(error).toMatchObject({ code: 'upload.connection-lost', details: { allSent: false } });
  });

  it('ends with an error when the destination refuses the form meanwhile', async () => {
    let refuse = () => {};
    const server = await serve(async (peer) => {
      refuse = () => peer.answer(408, 'too slow');
      await peer.readHead();
      peer.goAhead();
      await peer.readToEnd();
    });
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path);
    await sending.reached(2 * MIB);
    sending.gate.hold();
    await untilQuiet(() => sending.progress.length);
    refuse();
    const error = await failureOf(sending);
    expect(error).toMatchObject({ code: 'api.server-error', details: { status: 408, answer: 'too slow' } });
  });
});
