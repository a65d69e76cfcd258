// The launcher of a Linux desktop (KDE's taskbar, Ubuntu's dock), as far as programs show progress and a number on their icon.
import { execFileSync } from 'node:child_process';
import { Message, MessageType, sessionBus, type Variant } from '@jellybrick/dbus-next';

const ENTRY = 'com.canonical.Unity.LauncherEntry';

/**
 * Whether the Electron of the tests can talk to a launcher. Electron 45 does it by itself; the older one made from npm takes libunity
 * for it.
 */
export const hasLauncherLibrary = process.platform === 'linux' && isInstalled('libunity.so.9');
if (!hasLauncherLibrary) console.warn('libunity is not installed (Debian: libunity9): its test is skipped.');

function isInstalled(library: string): boolean {
  try {
    return execFileSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).includes(library);
  } catch {
    return false;
  }
}

/** What the launcher shows on the icon of a program. Null: nothing. */
interface LauncherIcon {
  app: string;
  /** From 0 to 1. */
  progress: number | null;
  count: number | null;
}

export interface Launcher {
  /** Every state that the icon had, the newest last. */
  states: readonly LauncherIcon[];
  close(): void;
}

/** Starts a launcher. Programs look for it when they start. */
export async function startLauncher(): Promise<Launcher> {
  const bus = sessionBus({ busAddress: process.env.DBUS_SESSION_BUS_ADDRESS ?? '' });
  await bus.requestName('com.canonical.Unity', 0);
  const states: LauncherIcon[] = [];
  const known = new Map<string, unknown>();
  const events: NodeJS.EventEmitter = bus;
  events.on('message', (message: Message) => {
    if (message.type !== MessageType.SIGNAL || message.interface !== ENTRY) return;
    const [app, changed] = message.body as [string, Record<string, Variant>];
    // A program sends only what changed.
    for (const [name, { value }] of Object.entries(changed)) known.set(name, value);
    const shown = (name: string) => (known.get(`${name}-visible`) === true ? Number(known.get(name)) : null);
    states.push({ app, progress: shown('progress'), count: shown('count') });
  });
  await bus.call(
    new Message({
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'AddMatch',
      signature: 's',
      body: [`type='signal',interface='${ENTRY}'`],
    }),
  );
  return { states, close: () => bus.disconnect() };
}
