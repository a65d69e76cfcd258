import type { Site } from '../site/site.ts';
import { adoptDirect, CONTENT_VANISHED } from './adopt-direct.ts';
import { checkScratch } from './check-scratch.ts';
import { abandonClaim, type Claim, keepProduct, releaseClaim, startClaim } from './claims.ts';
import type { Makers } from './derive.ts';
import { orderOf } from './order.ts';
import { pause } from './pause.ts';
import { finishClaim } from './save-outcome.ts';
import { PlaceFailed } from './tools/place-failed.ts';
import { outcomeWithout, workOn } from './work.ts';

/**
 * Processes a claimed file here: moves it from `processing` to `complete` or `error`. All derived files are stored before the rows change
 * in one transaction; if the service stops in between, the next start repeats the whole work. An aborted run leaves the file
 * unchanged, and so does one that rejects. `makers` is null where others do the work: then only the content of the file is taken over.
 */
export async function processFile(site: Site, claim: Claim, makers: Makers | null, signal: AbortSignal): Promise<void> {
  let isEnded = false;
  try {
    const file = await adoptDirect(site, claim.file, signal);
    if (file === 'vanished') {
      await finishClaim(site, claim.id, outcomeWithout(CONTENT_VANISHED));
      return;
    }
    if (file === 'deleted' || makers === null) return;
    const order = orderOf(file, site.settings.current());
    await pause(order.delayMs, signal);
    if (signal.aborted) return;
    // An outcome that is decided without work can't crash anything.
    if (order.decided === null && !(await startClaim(site, claim))) return;
    const workshop = {
      scratch: site.scratch,
      log: site.log,
      original: () => site.blobs.local(file.stored_name ?? '', signal),
      check: () => checkScratch(site.scratch),
      keep: (path: string) => keepProduct(site, claim.id, path),
    };
    const outcome = await workOn(order, workshop, makers, signal);
    if (!signal.aborted) isEnded = await finishClaim(site, claim.id, outcome);
  } catch (error) {
    if (error instanceof PlaceFailed && error.isSuspect) await abandonClaim(site.store, claim.id);
    throw error;
  } finally {
    if (!isEnded) await releaseClaim(site.store, claim.id);
  }
}
