import { AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf, isOfGateway } from '../../../shared/contract/errors/error-catalog.ts';
import { lacksToken } from '../api/http-client.ts';
import type { SiteBreakers } from './site-breakers.ts';

export interface SiteTools {
  breakers: Pick<SiteBreakers, 'isJustBack' | 'report'>;
  /** Resolves when the site answers; otherwise throws the error that concerns the whole site. */
  probe(siteId: string): Promise<void>;
}

/**
 * Returns the error of the whole site that made a request fail; null when the failure concerns this request only. After a network
 * error, a broken transfer or the answer of a server in front of the library, only a probe shows that: the exchange may have been
 * with an upload server, or a slow request alone may fail. A library that stops again soon after it was back may stop because of this
 * request: then the breaker opens, and the failure also counts as that of the request, so that it is not repeated for ever.
 */
export async function siteError(
  siteId: string,
  error: AppError,
  { breakers, probe }: SiteTools,
): Promise<AppError | null> {
  // The token endpoint failed, so the whole site is concerned. A probe could succeed because the endpoint works again meanwhile.
  if (lacksToken(error)) return error;
  if (!isBroken(error) && !isOfGateway(error) && dispositionOf(error.code) !== 'wait-network') return null;
  try {
    await probe(siteId);
    return null;
  } catch (probeError) {
    const found = toAppError(probeError);
    if (found.code !== 'network.gateway' || !isOfGateway(error) || !breakers.isJustBack(siteId)) return found;
    breakers.report(siteId, found.toData());
    return null;
  }
}

/**
 * Returns the error to record for a failed exchange of an upload: that of the whole site (`siteError`), or the error of this
 * exchange, whose retries are counted.
 */
export async function siteWideCause(siteId: string, error: AppError, tools: SiteTools): Promise<AppError> {
  const ofSite = await siteError(siteId, error, tools);
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
