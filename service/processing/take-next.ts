import type { Site } from '../site/site.ts';
import { type Claim, claim, nextUnclaimed } from './claims.ts';
import { orderOf } from './order.ts';
import { saveOutcome } from './save-outcome.ts';
import { outcomeWithout } from './work.ts';

/**
 * Takes the next file for this process, in one transaction: claims it, or finishes it when its outcome needs no work, so that many small
 * files of such types cost one transaction each. `finishes`: whether it may do that. Returns undefined when there is nothing to do.
 */
export function takeNext(
  site: Site,
  { isWorker, except, finishes }: { isWorker: boolean; except: readonly number[]; finishes: boolean },
): Promise<Claim | 'finished' | undefined> {
  return site.store.transaction(async () => {
    const file = await nextUnclaimed(site.store, site.instance, { kind: isWorker ? 'any' : 'incoming', except });
    if (file === undefined) return undefined;
    const { decided, delayMs } = orderOf(file, site.settings.current());
    const isReady = isWorker && delayMs === 0 && file.incoming_name === null;
    if (!isReady || !finishes || decided === null) {
      return await claim(site, site.instance, file, isReady && decided === null);
    }
    await saveOutcome(site, file, outcomeWithout(decided.reason));
    return 'finished';
  });
}
