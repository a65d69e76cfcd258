import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { openQueueStore } from '../../../electron/engine/store/open-queue-store.ts';
import { startWhenFree } from '../../../electron/main/start-when-free.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { fastClock } from '../../helpers/time/fast-clock.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-free-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Creates a dialog that records whether it is open and how often it opened, and whose button the test can press. */
function box() {
  const seen = { isUp: false, count: 0, quit: () => {} };
  const showWaiting = (_: unknown, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      seen.isUp = true;
      seen.count += 1;
      const close = () => {
        seen.isUp = false;
        resolve();
      };
      seen.quit = close;
      signal.addEventListener('abort', close);
    });
  return { seen, showWaiting };
}

const clock = fastClock(50);
const never = new AbortController().signal;
const start = () => openQueueStore(dir, nodeClock);

describe('a start on a profile that may be in use', () => {
  it('shows nothing when the profile is free', async () => {
    const { seen, showWaiting } = box();
    const store = await startWhenFree({ start, showWaiting, clock, signal: never });
    store.close();
    expect(seen.count).toBe(0);
  });

  it('waits, shows one dialog, and starts when the other process ends', async () => {
    const owner = await start();
    const { seen, showWaiting } = box();
    const starting = startWhenFree({ start, showWaiting, clock, signal: never });
    while (!seen.isUp) await new Promise(setImmediate);
    await new Promise((resolve) => clock.schedule(2000, () => resolve(undefined)));
    owner.close();
    const store = await starting;
    store.close();
    expect(seen).toMatchObject({ count: 1, isUp: false });
  });

  it('stops waiting when the user quits or the program ends', async () => {
    const owner = await start();
    const { seen, showWaiting } = box();
    const starting = startWhenFree({ start, showWaiting, clock, signal: never });
    while (!seen.isUp) await new Promise(setImmediate);
    seen.quit();
    await expect(starting).rejects.toMatchObject({ code: 'profile.in-use' });
    const quitting = new AbortController();
    const second = startWhenFree({ start, showWaiting, clock, signal: quitting.signal });
    while (!seen.isUp) await new Promise(setImmediate);
    quitting.abort();
    await expect(second).rejects.toMatchObject({ code: 'profile.in-use' });
    expect(seen.isUp).toBe(false);
    owner.close();
  });

  it('does not retry when another error occurs', async () => {
    const { seen, showWaiting } = box();
    const failing = () => Promise.reject(appError('profile.newer'));
    await expect(startWhenFree({ start: failing, showWaiting, clock, signal: never })).rejects.toMatchObject({
      code: 'profile.newer',
    });
    expect(seen.count).toBe(0);
  });
});
