import { AppError } from '../../../shared/contract/app-error.ts';
import { CLOCK_TOLERANCE_MS } from '../../../shared/model/clock-tolerance.ts';
import type { EngineContext } from './context.ts';

/**
 * Warns when a publish time was given and the clocks of this computer and of the library differ. Prints nothing when the library
 * can't be reached now: the following request of the command reports the reason.
 */
export async function warnOfClock({ engine, output }: EngineContext, siteId: string): Promise<void> {
  const aheadMs = await aheadOf(engine, siteId);
  if (aheadMs === null || Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return;
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const place = aheadMs > 0 ? 'ahead of' : 'behind';
  output.record({ clock: { aheadMs: Math.round(aheadMs) } });
  output.warning(
    `Warning: this computer’s clock is ${minutes} minutes ${place} the library’s. The library publishes by its own clock. Let this computer set its clock automatically.`,
  );
}

async function aheadOf(engine: EngineContext['engine'], siteId: string): Promise<number | null> {
  try {
    return (await engine.call('sites.clock', { siteId })).aheadMs;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
