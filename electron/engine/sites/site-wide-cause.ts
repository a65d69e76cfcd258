import { AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../shared/contract/error-catalog.ts';
import { lacksToken } from '../api/http-client.ts';

/**
 * Returns the error to record for a failed exchange: a site-wide error only if the site itself is unreachable. A broken
 * transfer does not tell, and an unreachable destination is not the library, so the site is probed: that distinguishes
 * a lost network from a bad destination.
 */
export async function siteWideCause(
  siteId: string,
  error: AppError,
  probe: (siteId: string) => Promise<void>,
): Promise<AppError> {
  // The token endpoint may answer again by the time the probe ends.
  if (lacksToken(error)) return error;
  const isBroken = error.code === 'upload.connection-lost' || error.code === 'upload.stalled';
  if (!isBroken && dispositionOf(error.code) !== 'wait-network') return error;
  try {
    await probe(siteId);
    // An untrusted certificate is permanent, and concerns the destination only.
    if (error.code === 'network.tls') {
      return appError('upload.destination-untrusted', { details: error.details ?? {}, cause: error });
    }
    // The site answers: the error belongs to this exchange, and its retries are counted.
    return isBroken ? error : new AppError('upload.connection-lost', error.message, error.details, error);
  } catch (probeError) {
    return toAppError(probeError);
  }
}
