import { TOKENINFO_PATH } from '../../../shared/api/oauth.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import { isOfGateway } from '../../../shared/contract/errors/error-catalog.ts';
import { behindGateway } from '../api/behind-gateway.ts';
import type { SiteClient } from '../api/http-client.ts';
import { stopsAllRequests } from './site-breakers.ts';

/**
 * Resolves when the library answers, whatever the status is. Throws the error if it concerns the whole site, and
 * `network.gateway` if a server in front of the library answers in its place.
 */
export async function probeSite(client: SiteClient): Promise<void> {
  try {
    await client.request({ method: 'GET', target: TOKENINFO_PATH });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (isOfGateway(error)) throw behindGateway(error, error.details ?? {});
    if (stopsAllRequests(error.code)) throw error;
  }
}
