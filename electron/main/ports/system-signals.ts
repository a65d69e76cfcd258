import { net, powerMonitor } from 'electron';
import type { SystemSignals } from '../../engine/ports/system-signals.ts';

/** Electron tells in the main process whether there is a network, not when that changes. */
const LOOK_EVERY_MS = 2000;

/** What Electron knows of sleep and network. Only after the app is ready. */
export const systemSignals: SystemSignals = {
  onDidComeBack(listener) {
    const onResume = () => listener('woke');
    // Some systems tell of the sleep only after it, or not at all; an unlocked screen comes close.
    powerMonitor.on('resume', onResume);
    powerMonitor.on('unlock-screen', onResume);
    let wasOnline = net.isOnline();
    const timer = setInterval(() => {
      const isOnline = net.isOnline();
      if (isOnline && !wasOnline) listener('online');
      wasOnline = isOnline;
    }, LOOK_EVERY_MS);
    timer.unref();
    return () => {
      clearInterval(timer);
      powerMonitor.off('resume', onResume);
      powerMonitor.off('unlock-screen', onResume);
    };
  },
};
