import type { AdminJobKind } from '../../../shared/contract/admin/admin-jobs.ts';
import type { EngineContext } from '../command-base/context.ts';

/** Waits for an administrative command of many steps. The first interruption ends it after the step that is being made. */
export async function untilInterrupted<T>(
  { engine, interruption }: Pick<EngineContext, 'engine' | 'interruption'>,
  { siteId, kind }: { siteId: string; kind: AdminJobKind },
  run: () => Promise<T>,
): Promise<T> {
  const stop = () => void engine.call('admin.stopJobs', { siteId, kind });
  interruption.signal.addEventListener('abort', stop, { once: true });
  try {
    return await run();
  } finally {
    interruption.signal.removeEventListener('abort', stop);
  }
}

/** Leaves out what was not begun because of an interruption: it is no failure. */
export function withoutStopped<O extends { failed: { error: { code: string } }[] }>(outcome: O): O {
  return { ...outcome, failed: outcome.failed.filter(({ error }) => error.code !== 'admin.stopped') };
}
