import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeadlineKeeper } from '../../../../../electron/engine/uploads/pacing/deadline-keeper.ts';
import { anUpload } from '../../../../helpers/data/upload-rows.ts';
import { TransfersInTest } from '../../../../helpers/engine/transfers-in-test.ts';

const MB = 1_000_000;
/** Two of these at half a megabyte per second each take 27 minutes; one alone at full speed takes 13. */
const LARGE = 800 * MB;

let world: TransfersInTest;
let keeper: DeadlineKeeper;
let notified: string[];

beforeEach(async () => {
  world = await TransfersInTest.open(import.meta.filename);
  notified = [];
  const { transfers, clock } = world;
  keeper = new DeadlineKeeper({ transfers, clock, onDidChangeNotice: (id) => notified.push(id) });
});
afterEach(() => world.close());

const isHeld = (id: string) => world.transfers.get(id)?.gate.isHeldBy('deadline');
const sending = (id: string) => keeper.notice(anUpload({ id, state: 'sending' }))?.code ?? null;
const queued = (id: string) => keeper.notice(anUpload({ id, state: 'queued' }))?.code ?? null;
const large = (id: string) => anUpload({ id, sizeBytes: LARGE });

describe('transfers on a slow link', () => {
  it('are not changed before their speed is known', async () => {
    await world.begin('a', LARGE);
    await world.begin('b', LARGE);
    await world.pass(9_000, { a: MB / 2, b: MB / 2 });
    keeper.check();
    expect([isHeld('a'), isHeld('b')]).toEqual([false, false]);
    expect(notified).toEqual([]);
  });

  it('are held, newest first, with a notice, when the others would miss the deadline', async () => {
    await world.begin('a', LARGE);
    await world.begin('b', LARGE);
    await world.pass(11_000, { a: MB / 2, b: MB / 2 });
    keeper.check();
    expect([isHeld('a'), isHeld('b')]).toEqual([false, true]);
    expect([sending('a'), sending('b')]).toEqual([null, 'upload.held-back']);
    expect(notified).toEqual(['b']);
  });

  it('continue in parallel when all meet the deadline', async () => {
    await world.begin('a', 300 * MB);
    await world.begin('b', 300 * MB);
    await world.pass(11_000, { a: MB / 2, b: MB / 2 });
    keeper.check();
    expect([isHeld('a'), isHeld('b')]).toEqual([false, false]);
  });

  it('continue when all meet the deadline again, at the earliest ten seconds after the last change', async () => {
    await world.begin('a', LARGE);
    await world.begin('b', LARGE);
    await world.pass(11_000, { a: MB / 2, b: MB / 2 });
    keeper.check();
    // The link is suddenly ten times as fast.
    await world.pass(9_000, { a: 10 * MB });
    keeper.check();
    expect(isHeld('b')).toBe(true);
    await world.pass(2_000, { a: 10 * MB });
    keeper.check();
    expect(isHeld('b')).toBe(false);
    expect(notified).toEqual(['b', 'b']);
    expect(sending('b')).toBe(null);
  });

  it('continue immediately when no other transfer runs', async () => {
    const first = await world.begin('a', LARGE);
    await world.begin('b', LARGE);
    await world.pass(11_000, { a: MB / 2, b: MB / 2 });
    keeper.check();
    first.answer();
    while (world.transfers.get('a')) await new Promise((resolve) => setImmediate(resolve));
    keeper.check();
    expect(isHeld('b')).toBe(false);
  });

  it('are not counted when the user paused them or when they sent everything', async () => {
    await world.begin('a', LARGE);
    const all = await world.begin('b', LARGE);
    await world.begin('c', LARGE);
    await world.pass(11_000, { a: MB / 2, b: MB / 2, c: MB / 2 });
    all.options.onAllSent?.();
    world.transfers.hold('c');
    await world.pass(14_000, { a: MB });
    keeper.check();
    expect([isHeld('a'), isHeld('b'), isHeld('c')]).toEqual([false, false, false]);
    expect(keeper.admit([anUpload({ id: 'd', sizeBytes: 10 * MB })])).toHaveLength(0);
  });

  it('continue with a notice when they cannot meet the deadline even alone', async () => {
    await world.begin('a', 3_000 * MB);
    await world.pass(11_000, { a: MB });
    keeper.check();
    expect(isHeld('a')).toBe(false);
    expect(sending('a')).toBe('upload.too-slow');
    expect(notified).toEqual(['a']);
    await world.pass(60_000, { a: 100 * MB });
    keeper.check();
    expect(sending('a')).toBe(null);
    expect(notified).toEqual(['a', 'a']);
  });
});

describe('the next uploads', () => {
  it('begin when nothing runs, also large ones', () => {
    const uploads = [large('a')];
    expect(keeper.admit(uploads)).toEqual(uploads);
    expect(queued('a')).toBe(null);
  });

  it('wait in order, with a notice, while they would make running transfers miss the deadline', async () => {
    await world.begin('a', LARGE);
    await world.pass(11_000, { a: MB });
    expect(keeper.admit([large('b'), anUpload({ id: 'c', sizeBytes: 1 })])).toEqual([]);
    expect([queued('b'), queued('c')]).toEqual(['upload.held-back', 'upload.held-back']);
    expect(notified).toEqual(['b', 'c']);
    // A second check with the same result reports no change of a notice.
    keeper.admit([large('b'), anUpload({ id: 'c', sizeBytes: 1 })]);
    expect(notified).toEqual(['b', 'c']);
    // The speed now suffices for one more parallel transfer.
    await world.pass(30_000, { a: 20 * MB });
    expect(keeper.admit([large('b')]).map(({ id }) => id)).toEqual(['b']);
    expect(notified).toEqual(['b', 'c', 'b', 'c']);
  });

  it('are admitted one by one: each reduces the bandwidth for the next', async () => {
    await world.begin('a', 300 * MB);
    await world.pass(11_000, { a: MB });
    const uploads = ['b', 'c', 'd', 'e'].map((id) => anUpload({ id, sizeBytes: 300 * MB }));
    const admitted = keeper.admit(uploads);
    expect(admitted.length).toBeGreaterThan(0);
    expect(admitted.length).toBeLessThan(4);
    expect(admitted).toEqual(uploads.slice(0, admitted.length));
  });

  it('wait for held transfers, which continue first', async () => {
    await world.begin('a', LARGE);
    await world.begin('b', LARGE);
    await world.pass(11_000, { a: MB / 2, b: MB / 2 });
    keeper.check();
    expect(keeper.admit([anUpload({ id: 'c', sizeBytes: 1 })])).toEqual([]);
  });
});
