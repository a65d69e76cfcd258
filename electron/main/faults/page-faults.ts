import { type BrowserWindow, dialog } from 'electron';
import type { Clock } from '../../engine/ports/clock.ts';
import type { Logger } from '../../engine/ports/logger.ts';
import { texts } from '../texts.ts';
import type { MainWindowOptions } from '../windows.ts';
import type { FaultReports } from './fault-reports.ts';
import { createPageRecovery } from './page-recovery.ts';

/** How long a page may not answer before the user is asked. */
const HANG_MS = 10_000;

/** Handles crashes and hangs of the page of the main window, with questions of the system: the page can't show any. */
export function createPageFaults(
  window: () => BrowserWindow | null,
  clock: Clock,
  logger: Logger,
  reports: Pick<FaultReports, 'noteCrash'>,
): Pick<MainWindowOptions, 'onPageGone' | 'onPageHangs'> {
  const ask = async (message: string, buttons: readonly string[], signal?: AbortSignal) => {
    const box = {
      type: 'error' as const,
      title: texts.dialogs.title,
      message,
      detail: texts.pageFaults.goesOn,
      buttons: [...buttons],
      defaultId: 0,
      cancelId: 1,
      ...(signal === undefined ? {} : { signal }),
    };
    const parent = window();
    return (await (parent === null ? dialog.showMessageBox(box) : dialog.showMessageBox(parent, box))).response === 0;
  };
  let reload = () => {};
  const recover = createPageRecovery({
    now: () => clock.now(),
    reload: () => reload(),
    ask: () => ask(texts.pageFaults.crashes, [texts.pageFaults.openAgain, texts.pageFaults.notNow]),
    onFailed: (error) => logger.error('shell.page-not-recovered', { reason: String(error) }),
  });
  return {
    onPageGone(reason, load) {
      logger.error('shell.page-gone', { reason });
      reports.noteCrash();
      reload = load;
      recover();
    },
    onPageHangs(end) {
      const answered = new AbortController();
      const cancel = clock.schedule(HANG_MS, () => {
        logger.warn('shell.page-hangs');
        void ask(texts.pageFaults.hangs, [texts.pageFaults.openAgain, texts.pageFaults.wait], answered.signal).then(
          (isWanted) => {
            if (isWanted && !answered.signal.aborted) end();
          },
          (error) => logger.error('shell.page-not-recovered', { reason: String(error) }),
        );
      });
      return () => {
        cancel();
        answered.abort();
      };
    },
  };
}
