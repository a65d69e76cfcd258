import { app } from 'electron';

/**
 * Lets `stop` finish before the app quits, but waits at most `limitMs`: the journal survives a kill, so a late quit is worse than
 * an early one.
 */
export function stopBeforeQuit(stop: () => Promise<void>, limitMs: number, onFailed: (error: unknown) => void): void {
  let phase: 'running' | 'stopping' | 'stopped' = 'running';
  app.on('before-quit', (event) => {
    if (phase === 'stopped') return;
    event.preventDefault();
    if (phase === 'stopping') return;
    phase = 'stopping';
    const limit = new Promise<void>((resolve) => setTimeout(resolve, limitMs));
    void Promise.race([stop(), limit])
      .catch(onFailed)
      .finally(() => {
        phase = 'stopped';
        app.quit();
      });
  });
}
