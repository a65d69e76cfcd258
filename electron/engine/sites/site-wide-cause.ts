import { AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf, isOfGateway } from '../../../shared/contract/errors/error-catalog.ts';
import { lacksToken } from '../api/http-client.ts';

type Probe = (siteId: string) => Promise<void>;

/**
 * Returns the error of the whole site that made a request fail; null when the failure concerns this request only. After a network
 * error, a broken transfer or the answer of a server in front of the library, only a probe shows that: the exchange may have been
 * with an upload server, or a slow request alone may fail.
 */
export async function siteError(siteId: string, error: AppError, probe: Probe): Promise<AppError | null> {
  // The token endpoint failed, so the whole site is concerned. A probe could succeed because the endpoint works again meanwhile.
  if (lacksToken(error)) return error;
  if (!isBroken(error) && !isOfGateway(error) && dispositionOf(error.code) !== 'wait-network') return null;
  try {
    await probe(siteId);
    return null;
  } catch (probeError) {
    return toAppError(probeError);
  }
}

/**
 * Returns the error to record for a failed exchange of an upload: that of the whole site (`siteError`), or the error of this
 * exchange, whose retries are counted.
 */
export async function siteWideCause(siteId: string, error: AppError, probe: Probe): Promise<AppError> {
  const ofSite = await siteError(siteId, error, probe);
  if (ofSite !== null) return ofSite;
  if (dispositionOf(error.code) !== 'wait-network') return error;
  // The site's certificate is trusted, so the untrusted one is that of the upload server: a permanent error of this upload.
  if (error.code === 'network.tls') {
    return appError('upload.destination-untrusted', { details: error.details ?? {}, cause: error });
  }
  return new AppError('upload.connection-lost', error.message, error.details, error);
}

function isBroken({ code }: AppError): boolean {
  return code === 'upload.connection-lost' || code === 'upload.stalled';
}
