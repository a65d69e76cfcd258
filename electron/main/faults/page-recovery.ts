/** A page that crashes more often than this within a minute is not loaded again by itself. */
const MOST_RELOADS = 3;
const WITHIN_MS = 60_000;

export interface PageRecoveryOptions {
  now(): number;
  reload(): void;
  /** Asks the user whether to load the page again; true: yes. */
  ask(): Promise<boolean>;
  onFailed(error: unknown): void;
}

/**
 * Decides what follows when the page of the window crashed. The engine runs outside of the page: transfers go on. The page is loaded
 * again at once; one that crashes again and again is loaded when the user wants it.
 */
export function createPageRecovery({ now, reload, ask, onFailed }: PageRecoveryOptions): () => void {
  let reloads: number[] = [];
  let isAsking = false;
  return () => {
    const at = now();
    reloads = reloads.filter((time) => at - time < WITHIN_MS);
    if (reloads.length < MOST_RELOADS) {
      reloads.push(at);
      reload();
      return;
    }
    if (isAsking) return;
    isAsking = true;
    ask()
      .then((isWanted) => {
        reloads = [];
        if (isWanted) reload();
      }, onFailed)
      .finally(() => {
        isAsking = false;
      });
  };
}
