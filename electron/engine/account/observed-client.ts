import { TOKENINFO_PATH } from '../../../shared/api/oauth.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf, isOfGateway } from '../../../shared/contract/errors/error-catalog.ts';
import type { SiteClient } from '../api/http-client.ts';

/**
 * Wraps a client: reports after each exchange whether the site answered. When a server in front of it answers, only the request that
 * probes the site shows that no request is answered.
 */
export function observed(client: SiteClient, onReachable: (isReachable: boolean) => void): SiteClient {
  async function watch<T>(exchange: Promise<T>, isProbe = false): Promise<T> {
    try {
      const answer = await exchange;
      onReachable(true);
      return answer;
    } catch (error) {
      if (error instanceof AppError) {
        if (dispositionOf(error.code) === 'wait-network' || (isProbe && isOfGateway(error))) onReachable(false);
        else if (typeof error.details?.status === 'number' && !isOfGateway(error)) onReachable(true);
      }
      throw error;
    }
  }
  return {
    ...client,
    request: (request) => watch(client.request(request), request.target === TOKENINFO_PATH),
    get: (target, query, signal) => watch(client.get(target, query, signal)),
    read: (schema, target, query, signal) => watch(client.read(schema, target, query, signal)),
  };
}
