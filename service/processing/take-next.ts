import type { Site } from '../site/site.ts';
import { type Choice, type Claim, claim, nextUnclaimed } from './claims.ts';
import { orderOf } from './order.ts';
import { saveOutcome } from './save-outcome.ts';
import { outcomeWithout } from './work.ts';

/**
 * Takes the next file for this process, in one transaction: claims it, or finishes it when its outcome needs no work, so that many small
 * files of such types cost one transaction each. Returns undefined when there is nothing to do. `saving`: called with the id of a file
 * whose outcome is to be saved; when that fails, the file is unchanged.
 */
export function takeNext(
  site: Site,
  { isWorker, except, saving }: { isWorker: boolean; except: Choice['except'] & {}; saving: (id: number) => void },
): Promise<Claim | 'finished' | undefined> {
  return site.store.transaction(async () => {
    const file = await nextUnclaimed(site.store, site.instance, { kind: isWorker ? 'any' : 'incoming', except });
    if (file === undefined) return undefined;
    const { decided, delayMs } = orderOf(file, site.settings.current());
    const isReady = isWorker && delayMs === 0 && file.incoming_name === null;
    if (!isReady || decided === null) return await claim(site, site.instance, file, isReady);
    saving(file.id);
    await saveOutcome(site, file, outcomeWithout(decided.reason));
    return 'finished';
  });
}
