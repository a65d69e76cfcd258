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
 * Turns Ctrl-C (SIGINT) and SIGTERM into a request to stop: the first signal calls `onFirst` and aborts, the second one ends the
 * process immediately.
 */
export function listenForInterruption(onFirst: () => void): Interruption {
  const controller = new AbortController();
  let code: ExitCode | null = null;
  const handle = (name: NodeJS.Signals) => {
    const wanted = name === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
    if (code !== null) process.exit(wanted);
    code = wanted;
    onFirst();
    controller.abort();
  };
  // A command may wait for a change that nothing in this process causes. Node would end it, because nothing keeps it alive.
  const keepAlive = setInterval(() => undefined, LONGEST_TIMER_MS);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) process.on(name, handle);
  return {
    signal: controller.signal,
    exitCode: () => code,
    dispose() {
      clearInterval(keepAlive);
      for (const name of signals) process.off(name, handle);
    },
  };
}

/** Resolves when the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
