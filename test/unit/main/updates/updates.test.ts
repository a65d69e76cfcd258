// When the app looks for updates, what it tells, and when it installs: with a clock of the test, and a server in memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import type { Offer } from '../../../../electron/main/updates/app-installer.ts';
import { openUpdateMemory } from '../../../../electron/main/updates/update-memory.ts';
import { type AppUpdates, createUpdates, type UpdatesOptions } from '../../../../electron/main/updates/updates.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { RunningWork, Updates } from '../../../../shared/contract/updates.ts';
import type { Feed } from '../../../../shared/model/updates/feed-text.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';
import { makeFeed, makeFeedKeys, signedFeed } from '../../../helpers/updates/feed-server.ts';

const keys = makeFeedKeys();
const HOUR = 3_600_000;
const IDLE: RunningWork = { uploads: 0, downloads: 0, edits: 0, sweeps: 0 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mediadesk-updates-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Updates with a server whose feed the test changes. */
async function openUpdates(changes: Partial<UpdatesOptions> = {}) {
  const clock = new ManualClock(Date.parse('2026-11-29T12:00:00.000Z'));
  const world = {
    clock,
    asked: 0,
    isShown: true,
    running: IDLE as RunningWork | null,
    restarts: 0,
    tidied: 0,
    feed: {} as Partial<Feed>,
    reported: [] as Updates[],
    prepared: [] as Offer[],
    failure: null as Error | null,
  };
  const memory = await openUpdateMemory(join(folder, 'updates.json'), () => 'this installation');
  const updates = createUpdates({
    version: '0.1.0',
    platform: 'linux',
    arch: 'x64',
    who: 'app',
    memory,
    clock,
    logger: silentLogger,
    source: { feedUrl: 'https://updates.example.org/', keys: [keys.publicKey] },
    installer: {
      extension: '.appimage',
      of: {
        async requireReplaceable() {},
        async prepare(offer, onProgress) {
          clock.advance(1_000);
          onProgress(0.5);
          if (world.failure !== null) throw world.failure;
          world.prepared.push(offer);
        },
        async tidy() {
          world.tidied += 1;
        },
        async install() {},
      },
    },
    async open() {
      world.asked += 1;
      if (world.failure !== null) throw world.failure;
      const text = signedFeed(makeFeed({ releaseDate: new Date(clock.now()).toISOString(), ...world.feed }), keys);
      return { status: 200, headers: {}, body: Readable.from([Buffer.from(text)]), close: () => undefined };
    },
    running: () => world.running,
    isShown: () => world.isShown,
    onDidChange: (state) => world.reported.push(state),
    restart() {
      world.restarts += 1;
    },
    ...changes,
  });
  return { world, updates, memory };
}

/** Lets time pass, and waits until the check that began in it has ended. */
async function pass(clock: ManualClock, updates: AppUpdates, ms: number): Promise<void> {
  clock.advance(ms);
  await expect.poll(() => updates.state().phase).not.toBe('checking');
}

describe('looking for updates', () => {
  it('begins after the start and happens once a day', async () => {
    const { world, updates } = await openUpdates();
    updates.start();
    expect(world.asked).toBe(0);
    await pass(world.clock, updates, 30_000);
    expect(world.asked).toBe(1);
    expect(updates.state().phase).toBe('available');
    for (let hour = 0; hour < 22; hour += 1) await pass(world.clock, updates, HOUR);
    expect(world.asked).toBe(1);
    for (let hour = 0; hour < 3; hour += 1) await pass(world.clock, updates, HOUR);
    expect(world.asked).toBe(2);
  });

  it('is remembered over a restart', async () => {
    const first = await openUpdates();
    first.updates.start();
    await pass(first.world.clock, first.updates, 30_000);
    first.updates.stop();
    const second = await openUpdates();
    second.updates.start();
    await pass(second.world.clock, second.updates, HOUR);
    expect(second.world.asked).toBe(0);
    expect(second.updates.state().checkedAt).toBe(first.updates.state().checkedAt);
  });

  it('waits until the user sees the window', async () => {
    const { world, updates } = await openUpdates();
    world.isShown = false;
    updates.start();
    await pass(world.clock, updates, HOUR);
    expect(world.asked).toBe(0);
    world.isShown = true;
    await pass(world.clock, updates, HOUR);
    expect(world.asked).toBe(1);
  });

  it('stops when the user switches it off, or without a server', async () => {
    const { world, updates } = await openUpdates();
    updates.setAutomatic(false);
    updates.start();
    await pass(world.clock, updates, 48 * HOUR);
    expect(world.asked).toBe(0);
    updates.stop();

    const none = await openUpdates({ source: null, who: 'nobody', installer: null });
    none.updates.start();
    await pass(none.world.clock, none.updates, 48 * HOUR);
    expect(none.world.asked).toBe(0);
    await expect(none.updates.check(true)).rejects.toMatchObject({ code: 'update.not-available' });
  });

  it('continues after the clock was set back', async () => {
    const { world, updates, memory } = await openUpdates();
    memory.set({ checkedAt: world.clock.now() + 400 * 24 * HOUR });
    updates.start();
    await pass(world.clock, updates, HOUR);
    expect(world.asked).toBe(1);
  });

  it('tells nothing of a version that is meant for others, until the user asks', async () => {
    const { world, updates } = await openUpdates();
    world.feed = { stagingPercentage: 0 };
    updates.start();
    await pass(world.clock, updates, 30_000);
    expect(updates.state()).toMatchObject({ phase: 'current', offer: null });
    expect((await updates.check(true)).phase).toBe('available');
    await updates.download();
    // A version that is ready stays ready.
    expect((await updates.check(false)).phase).toBe('ready');
  });
});

describe('a version that is ready', () => {
  async function openReady() {
    const opened = await openUpdates();
    await opened.updates.check(true);
    expect((await opened.updates.download()).phase).toBe('ready');
    return opened;
  }

  it.each(['uploads', 'downloads', 'edits', 'sweeps'] as const)('is not installed while there are %s', async (kind) => {
    const { world, updates } = await openReady();
    world.running = { ...IDLE, [kind]: 1 };
    expect(() => updates.install()).toThrow(expect.objectContaining({ code: 'update.busy', details: world.running }));
    expect(world.restarts).toBe(0);
    expect(updates.state()).toMatchObject({ phase: 'ready', running: world.running });
  });

  it('is not installed before the work is known, and once when nothing runs', async () => {
    const { world, updates } = await openReady();
    world.running = null;
    expect(() => updates.install()).toThrow(expect.objectContaining({ code: 'update.busy' }));
    world.running = IDLE;
    updates.install();
    expect(world.restarts).toBe(1);
    expect(() => updates.install()).toThrow(expect.objectContaining({ code: 'update.not-available' }));
    expect(world.restarts).toBe(1);
  });

  it('stays withdrawn when the server offers the feed before again', async () => {
    const { world, updates } = await openReady();
    const before = new Date(world.clock.now()).toISOString();
    world.clock.advance(1_000);
    world.feed = { blocked: ['0.2.0'] };
    expect(await updates.check(true)).toMatchObject({ problem: { code: 'update.version-blocked' } });
    world.feed = { releaseDate: before };
    expect(await updates.check(true)).toMatchObject({ phase: 'refused', problem: { code: 'update.feed-replayed' } });
  });

  it('stays ready when a later check fails, and the failure is shown', async () => {
    const { world, updates } = await openReady();
    world.failure = appError('network.unreachable');
    expect(await updates.check(false)).toMatchObject({
      phase: 'ready',
      offer: { version: '0.2.0' },
      problem: { code: 'update.unreachable' },
    });
    world.failure = null;
    expect(await updates.check(false)).toMatchObject({ phase: 'ready', problem: null });
    updates.install();
    expect(world.restarts).toBe(1);
    expect(world.prepared).toHaveLength(1);
  });

  it('is dropped when it was withdrawn, and replaced when there is a newer one', async () => {
    const { world, updates } = await openReady();
    world.feed = {
      version: '0.3.0',
      files: makeFeed().files.map((file) => ({ ...file, size: 99, sha512: `${'B'.repeat(86)}==` })),
    };
    expect(await updates.check(false)).toMatchObject({ phase: 'available', offer: { version: '0.3.0' } });
    world.feed = { blocked: ['0.2.0'] };
    expect(await updates.check(false)).toMatchObject({ phase: 'refused', offer: null });
    expect(world.tidied).toBe(1);
    expect(() => updates.install()).toThrow(expect.objectContaining({ code: 'update.not-available' }));
  });
});

describe('a failure', () => {
  it.each([
    [appError('network.unreachable'), 'failed', 'update.unreachable'],
    [appError('network.timed-out'), 'failed', 'update.unreachable'],
    [
      appError('network.tls', { message: 'The certificate of updates.example.org has expired.' }),
      'failed',
      'network.tls',
    ],
    [appError('network.proxy-sign-in'), 'failed', 'network.proxy-sign-in'],
    [appError('content.address-refused'), 'refused', 'update.address-insecure'],
    [new TypeError('a bug'), 'failed', 'internal'],
  ])('of a check is shown as it is: %s', async (failure, phase, code) => {
    const { world, updates } = await openUpdates();
    world.failure = failure;
    const state = await updates.check(true);
    expect(state).toMatchObject({ phase, problem: { code }, offer: null });
    world.failure = null;
    expect(await updates.check(true)).toMatchObject({ phase: 'available', problem: null });
  });

  it('of a download keeps the offer, so that the user can try again', async () => {
    const { world, updates } = await openUpdates();
    await updates.check(true);
    world.failure = appError('update.download-cut');
    expect(await updates.download()).toMatchObject({ phase: 'failed', progress: null, offer: { version: '0.2.0' } });
    world.failure = null;
    expect((await updates.download()).phase).toBe('ready');
    expect(world.prepared).toHaveLength(1);
    expect(world.reported.some(({ phase, progress }) => phase === 'downloading' && progress === 0.5)).toBe(true);
  });

  it('of an installation is shown after each start, until the next check', async () => {
    const first = await openUpdates();
    first.updates.noteNotInstalled(appError('update.disk-full', { details: { path: '/opt' } }));
    for (let start = 0; start < 2; start += 1) {
      const { updates } = await openUpdates();
      expect(updates.state()).toMatchObject({ phase: 'failed', problem: { code: 'update.not-installed' } });
      expect(updates.state().problem?.details).toMatchObject({ code: 'update.disk-full', path: '/opt' });
    }
    const last = await openUpdates();
    await last.updates.check(true);
    expect((await openUpdates()).updates.state().phase).toBe('unknown');
  });

  it('to remember something does not end a check', async () => {
    const { updates, world } = await openUpdates();
    rmSync(folder, { recursive: true, force: true });
    expect((await updates.check(true)).phase).toBe('available');
    expect(world.asked).toBe(1);
  });

  it('is not told any more after the end', async () => {
    const { world, updates } = await openUpdates();
    world.failure = appError('network.unreachable');
    const check = updates.check(true);
    updates.stop();
    await check;
    expect(world.reported.map(({ phase }) => phase)).toEqual(['checking']);
  });
});

it('asks an address without encryption never', async () => {
  const { world, updates } = await openUpdates({
    source: { feedUrl: 'http://updates.example.org/', keys: [keys.publicKey] },
  });
  expect(await updates.check(true)).toMatchObject({ phase: 'refused', problem: { code: 'update.address-insecure' } });
  expect(world.asked).toBe(0);
});
