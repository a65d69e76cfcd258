import { AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../shared/contract/error-catalog.ts';
import { lacksToken } from '../api/http-client.ts';

/**
 * What a failed exchange means for its site. A broken transfer says little, and a destination that can't be reached is not
 * the library; whether the site answers separates a lost network from a bad destination. Returns the error to record: one that
 * concerns the whole site only when the site itself is away.
 */
export async function siteWideCause(
  siteId: string,
  error: AppError,
  probe: (siteId: string) => Promise<void>,
): Promise<AppError> {
  // The token endpoint may answer again by the time that a probe is through.
  if (lacksToken(error)) return error;
  const isBroken = error.code === 'upload.connection-lost' || error.code === 'upload.stalled';
  if (!isBroken && dispositionOf(error.code) !== 'wait-network') return error;
  try {
    await probe(siteId);
    // An untrusted certificate does not go away, and concerns the destination alone.
    if (error.code === 'network.tls') {
      return appError('upload.destination-untrusted', { details: error.details ?? {}, cause: error });
    }
    // The site is there: the trouble is this exchange's own, and its retries are counted.
    return isBroken ? error : new AppError('upload.connection-lost', error.message, error.details, error);
  } catch (probeError) {
    return toAppError(probeError);
  }
}
