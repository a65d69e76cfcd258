import { net, powerMonitor } from 'electron';
import type { SystemSignals } from '../../engine/ports/system-signals.ts';

/** How often the network state is polled: the main process of Electron has no event for its changes. */
const POLL_EVERY_MS = 2000;

/** Reports sleep and network changes from Electron. Call after the app is ready. */
export const systemSignals: SystemSignals = {
  onDidComeBack(listener) {
    const onResume = () => listener('woke');
    // Some systems report sleep only afterwards, or never; unlocking the screen is close to waking up.
    powerMonitor.on('resume', onResume);
    powerMonitor.on('unlock-screen', onResume);
    let wasOnline = net.isOnline();
    const timer = setInterval(() => {
      const isOnline = net.isOnline();
      if (isOnline && !wasOnline) listener('online');
      wasOnline = isOnline;
    }, POLL_EVERY_MS);
    timer.unref();
    return () => {
      clearInterval(timer);
      powerMonitor.off('resume', onResume);
      powerMonitor.off('unlock-screen', onResume);
    };
  },
};
