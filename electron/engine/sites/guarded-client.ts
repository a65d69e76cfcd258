import { AppError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type { SiteClient } from '../api/http-client.ts';
import { isOwnSite } from '../api/links.ts';
import type { SiteBreakers } from './site-breakers.ts';

/**
 * Wraps a client in three ways. Before a request that changes something and can't be repeated, it waits until the journal is
 * on disk. A request that the site's breaker blocks is not sent: it throws the breaker's error with the outcome `not-sent`.
 * Successful answers are reported to the breaker, which they may close, and to `onAnswer`. An answer that shows that the library was
 * restored is not used: its ids may belong to other items.
 */
export function guardedClient(
  client: SiteClient,
  siteId: string,
  { journal, breakers }: { journal: { whenDurable(): Promise<void> }; breakers: SiteBreakers },
  onAnswer: () => void = () => {},
): SiteClient {
  const assertOpen = (isWrite: boolean) => {
    const blocked = breakers.blockedBy(siteId, isWrite);
    if (blocked === null) return;
    // The breaker already waits as long as `Retry-After` says: the job must not wait for it again.
    const { retryAfterMs: _, ...details } = blocked.details ?? {};
    throw new AppError(blocked.code as ErrorCode, blocked.message, { ...details, outcome: 'not-sent', held: true });
  };
  return {
    ...client,
    async request(asked) {
      const isWrite = asked.method !== 'GET';
      if (isWrite && asked.isRepeatable !== true) await journal.whenDurable();
      assertOpen(isWrite);
      const answer = await client.request(asked);
      if (isOwnSite(client.baseUrl, answer.url)) breakers.answered(siteId, isWrite);
      onAnswer();
      return answer;
    },
    async get(...asked) {
      assertOpen(false);
      const answer = await client.get(...asked);
      assertOpen(false);
      if (isOwnSite(client.baseUrl, answer.url)) breakers.answered(siteId, false);
      onAnswer();
      return answer;
    },
    async read(...asked) {
      assertOpen(false);
      const value = await client.read(...asked);
      assertOpen(false);
      breakers.answered(siteId, false);
      onAnswer();
      return value;
    },
  };
}
