import { EXIT, type ExitCode } from '../output/exit-codes.ts';

/** The longest interval of a timer in Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface Interruption {
  /** Aborted by the first signal. */
  signal: AbortSignal;
  /** Returns the exit code for the first signal; null before it. */
  exitCode(): ExitCode | null;
  /** Removes the signal handlers. */
  dispose(): void;
}

/**
 * Returns the signals with which a system asks a program to stop, and the exit code of each. On Windows also Ctrl-Break, which
 * another program can send, and SIGHUP, by which Node reports that the console is closed or the user signs out. Elsewhere SIGHUP
 * keeps its effect, because `nohup` relies on it.
 */
export function stopSignals(platform: string): ReadonlyMap<NodeJS.Signals, ExitCode> {
  const everywhere = new Map<NodeJS.Signals, ExitCode>([
    ['SIGINT', EXIT.interrupted],
    ['SIGTERM', EXIT.terminated],
  ]);
  if (platform !== 'win32') return everywhere;
  return everywhere.set('SIGBREAK', EXIT.interrupted).set('SIGHUP', EXIT.terminated);
}

/**
 * Turns Ctrl-C, SIGTERM and the other signals of this kind into a request to stop: the first one calls `onFirst` and aborts, the
 * second one ends the process immediately.
 */
export function listenForInterruption(onFirst: () => void, platform: string = process.platform): Interruption {
  const signals = stopSignals(platform);
  const controller = new AbortController();
  let code: ExitCode | null = null;
  const handle = (name: NodeJS.Signals) => {
    const wanted = signals.get(name) ?? EXIT.interrupted;
    if (code !== null) process.exit(wanted);
    code = wanted;
    onFirst();
    controller.abort();
  };
  // A command may wait for a change that nothing in this process causes. Node would end it, because nothing keeps it alive.
  const keepAlive = setInterval(() => undefined, LONGEST_TIMER_MS);
  for (const name of signals.keys()) process.on(name, handle);
  return {
    signal: controller.signal,
    exitCode: () => code,
    dispose() {
      clearInterval(keepAlive);
      for (const name of signals.keys()) process.off(name, handle);
    },
  };
}

/** Resolves when the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
