import { Emitter } from '../../engine/common/emitter.ts';
import type { SessionBus } from '../ports/session-bus.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const PATH = '/StatusNotifierWatcher';

/** Whether this desktop shows tray icons. */
export interface TrayHost {
  isShown(): boolean;
  onDidChange: Emitter<boolean>;
  close(): void;
}

/**
 * Asks the Linux desktop whether a program shows tray icons, and follows the answer: GNOME shows none without an extension, and
 * panels end. Windows and macOS always show them.
 */
export async function findTrayHost(platform: NodeJS.Platform, bus: SessionBus | null): Promise<TrayHost> {
  const onDidChange = new Emitter<boolean>();
  if (platform !== 'linux') return { isShown: () => true, onDidChange, close: () => undefined };
  if (bus === null) return { isShown: () => false, onDidChange, close: () => undefined };
  let isShown = false;
  let reads = 0;
  const read = async () => {
    reads += 1;
    const mine = reads;
    // A watcher alone shows nothing: a host has to be registered with it.
    const at = { name: WATCHER, path: PATH, interface: WATCHER, property: 'IsStatusNotifierHostRegistered' };
    const answer = (await bus.hasOwner(WATCHER)) && (await bus.property(at)) === true;
    if (mine !== reads || answer === isShown) return;
    isShown = answer;
    onDidChange.emit(answer);
  };
  const end = bus.watch(WATCHER, WATCHER, () => void read());
  await read();
  return { isShown: () => isShown, onDidChange, close: end };
}
