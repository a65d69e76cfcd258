import { AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../shared/contract/errors/error-catalog.ts';
import { lacksToken } from '../api/http-client.ts';

/**
 * Returns the error to record for a failed exchange. After a broken transfer or a network error the site is probed, because the
 * exchange may have been with an upload server instead of the library. If the site can't be reached either, its error is returned
 * and concerns the whole site. Otherwise the returned error concerns this exchange only.
 */
export async function siteWideCause(
  siteId: string,
  error: AppError,
  probe: (siteId: string) => Promise<void>,
): Promise<AppError> {
  // The token endpoint failed, so the whole site is concerned. A probe could succeed because the endpoint works again meanwhile.
  if (lacksToken(error)) return error;
  const isBroken = error.code === 'upload.connection-lost' || error.code === 'upload.stalled';
  if (!isBroken && dispositionOf(error.code) !== 'wait-network') return error;
  try {
    await probe(siteId);
    // The site's certificate is trusted, so the untrusted one is that of the upload server: a permanent error of this upload.
    if (error.code === 'network.tls') {
      return appError('upload.destination-untrusted', { details: error.details ?? {}, cause: error });
    }
    // The site answers: the error belongs to this exchange, and its retries are counted.
    return isBroken ? error : new AppError('upload.connection-lost', error.message, error.details, error);
  } catch (probeError) {
    return toAppError(probeError);
  }
}
