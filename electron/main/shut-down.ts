import { app } from 'electron';

/**
 * Lets `stop` finish before the app quits, but never holds a person up for longer than `limitMs`: the journal is built
 * to survive a kill, so leaving late is worse than leaving early.
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
