import { app } from 'electron';

export interface StopOptions {
  /** Returns whether the program may quit now. False: the quit is dropped; `mayQuit` has asked the user, who may quit later. */
  mayQuit(): boolean;
  stop(): Promise<void>;
  /** Called between the stop and the end. Never rejects. */
  finish(): Promise<void>;
  /** How long the quit waits for `stop`: the journal survives a kill, so a late quit is worse than an early one. */
  limitMs: number;
  /** Called when the stop begins: from then on, windows close. */
  onStopping(): void;
  onFailed(error: unknown): void;
}

/** Lets the user agree and `stop` finish before the app quits. */
export function stopBeforeQuit({ mayQuit, stop, finish, limitMs, onStopping, onFailed }: StopOptions): void {
  let phase: 'running' | 'stopping' | 'stopped' = 'running';
  app.on('before-quit', (event) => {
    if (phase === 'stopped') return;
    event.preventDefault();
    if (phase === 'stopping' || !mayQuit()) return;
    phase = 'stopping';
    onStopping();
    const limit = new Promise<void>((resolve) => setTimeout(resolve, limitMs));
    void Promise.race([stop(), limit])
      .catch(onFailed)
      .then(() => {
        phase = 'stopped';
        return finish();
      })
      .finally(() => app.quit());
  });
}
