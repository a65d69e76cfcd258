import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TransfersInTest } from '../../../helpers/engine/transfers-in-test.ts';

const MB = 1_000_000;
const WITHIN_MS = 5000;
const ANSWER_WITHIN_MS = 60_000;

let world: TransfersInTest;
beforeEach(async () => {
  world = await TransfersInTest.open(import.meta.filename);
});
afterEach(() => world.close());

describe('a connection after the computer slept', () => {
  it('is closed when no byte moves within the timeout, not earlier', async () => {
    const connection = await world.begin('a', MB);
    world.transfers.proveAlive(WITHIN_MS, ANSWER_WITHIN_MS);
    world.clock.advance(WITHIN_MS - 1);
    expect(connection.ended).toBe(null);
    world.clock.advance(1);
    expect(connection.ended).toMatchObject({ message: expect.stringContaining('connection-dead') });
  });

  it('is kept when bytes move, or when it was opened afterwards', async () => {
    const connection = await world.begin('a', MB);
    world.transfers.proveAlive(WITHIN_MS, ANSWER_WITHIN_MS);
    const later = await world.begin('b', MB);
    await world.pass(1000, { a: 1 });
    world.clock.advance(ANSWER_WITHIN_MS);
    expect([connection.ended, later.ended]).toEqual([null, null]);
  });

  it('is closed when bytes moved only before the check', async () => {
    const connection = await world.begin('a', MB);
    await world.pass(3000, { a: 1000 });
    world.transfers.proveAlive(WITHIN_MS, ANSWER_WITHIN_MS);
    world.clock.advance(WITHIN_MS);
    expect(connection.ended).toMatchObject({ message: expect.stringContaining('connection-dead') });
  });

  it('is not checked while it is paused or resuming', async () => {
    const held = await world.begin('a', MB);
    const released = await world.begin('b', MB);
    for (const id of ['a', 'b']) world.transfers.hold(id);
    world.transfers.proveAlive(WITHIN_MS, ANSWER_WITHIN_MS);
    world.clock.advance(1000);
    world.transfers.release('b');
    world.clock.advance(WITHIN_MS);
    expect([held.ended, released.ended]).toEqual([null, null]);
  });

  it('has a longer timeout when it waits for its answer', async () => {
    const connection = await world.begin('a', MB);
    connection.options.onAllSent?.();
    world.transfers.proveAlive(WITHIN_MS, ANSWER_WITHIN_MS);
    world.clock.advance(ANSWER_WITHIN_MS - 1);
    expect(connection.ended).toBe(null);
    world.clock.advance(1);
    expect(connection.ended).toMatchObject({ message: expect.stringContaining('connection-dead') });
  });

  it('is not checked again when it was answered in time', async () => {
    const connection = await world.begin('a', MB);
    world.transfers.proveAlive(WITHIN_MS, ANSWER_WITHIN_MS);
    connection.answer();
    while (world.transfers.get('a')) await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(WITHIN_MS);
    expect(connection.ended).toBe(null);
  });
});
