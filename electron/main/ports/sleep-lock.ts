import { spawn } from 'node:child_process';
import { powerSaveBlocker } from 'electron';
import type { SessionBus } from './session-bus.ts';

/** Prevents that the computer goes to sleep because nobody uses it. Its lid and a low battery still send it to sleep. */
export interface SleepLock {
  /** Returns the function that releases the lock. */
  hold(): () => void;
  /** Whether this desktop honors the lock; null: not known yet. */
  isHonored(): boolean | null;
}

/** The programs of a Linux desktop that Chromium asks for the lock. */
const INHIBITORS = ['org.gnome.SessionManager', 'org.freedesktop.PowerManagement'];

/**
 * Creates the lock. On Linux, Chromium reports success even where no program honors it; then the lock of systemd is used instead,
 * and where that fails too, `isHonored` is false.
 */
export async function createSleepLock(platform: NodeJS.Platform, bus: SessionBus | null): Promise<SleepLock> {
  if (platform !== 'linux') return chromiumLock();
  const owned = bus === null ? [] : await Promise.all(INHIBITORS.map((name) => bus.hasOwner(name)));
  return owned.includes(true) ? chromiumLock() : systemdLock();
}

function chromiumLock(): SleepLock {
  return {
    hold() {
      const id = powerSaveBlocker.start('prevent-app-suspension');
      return () => void powerSaveBlocker.stop(id);
    },
    isHonored: () => true,
  };
}

function systemdLock(): SleepLock {
  let isHonored: boolean | null = null;
  return {
    hold() {
      // `cat` ends with its input: when this program dies, the lock is released, too.
      const args = ['--what=idle', '--who=Mediadesk', '--why=Files are being transferred', '--mode=block', 'cat'];
      const child = spawn('systemd-inhibit', args, { stdio: ['pipe', 'ignore', 'ignore'] });
      child.once('spawn', () => {
        isHonored ??= true;
      });
      child.once('error', () => {
        isHonored = false;
      });
      // It ends at once when logind refuses the lock or does not run.
      child.once('exit', (code) => {
        if (code !== 0 && code !== null) isHonored = false;
      });
      // The pipe of a program that ended already; its exit was handled above.
      child.stdin.on('error', () => undefined);
      return () => child.stdin.end();
    },
    isHonored: () => isHonored,
  };
}
