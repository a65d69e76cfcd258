import { TOKENINFO_PATH } from '../../../shared/api/oauth.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import type { SiteClient } from '../api/http-client.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * Returns by how many milliseconds this computer's clock is ahead of the library's; null when the library does not report its
 * time or does not answer. Sends one request unless an answer was received in the last minute.
 */
export async function clockAheadMs(client: SiteClient, clock: Clock): Promise<number | null> {
  if (client.serverClock.isStale) {
    try {
      await client.request({ method: 'GET', target: TOKENINFO_PATH });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      client.logger.debug('site.clock-unknown', { code: error.code });
    }
  }
  const serverNow = client.serverClock.now();
  return serverNow === null ? null : clock.now() - serverNow;
}
