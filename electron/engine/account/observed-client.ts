import { AppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf, isOfGateway } from '../../../shared/contract/errors/error-catalog.ts';
import type { SiteClient } from '../api/http-client.ts';

/** Wraps a client: reports after each exchange whether the site answered. */
export function observed(client: SiteClient, onReachable: (isReachable: boolean) => void): SiteClient {
  async function watch<T>(exchange: Promise<T>): Promise<T> {
    try {
      const answer = await exchange;
      onReachable(true);
      return answer;
    } catch (error) {
      if (error instanceof AppError) {
        if (dispositionOf(error.code) === 'wait-network' || isOfGateway(error)) onReachable(false);
        else if (typeof error.details?.status === 'number') onReachable(true);
      }
      throw error;
    }
  }
  return {
    ...client,
    request: (request) => watch(client.request(request)),
    get: (target, query, signal) => watch(client.get(target, query, signal)),
    read: (schema, target, query, signal) => watch(client.read(schema, target, query, signal)),
  };
}
