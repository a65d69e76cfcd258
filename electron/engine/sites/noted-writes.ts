import { AppError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/error-catalog.ts';
import type { SiteClient } from '../api/http-client.ts';
import { isOwnSite } from '../api/links.ts';
import type { UploadJournal } from '../uploads/journal/upload-journal.ts';
import type { SiteGates } from './site-gates.ts';

/**
 * The same client. What is known is on the disk before anything in the library is changed because of it. A request that
 * the site's gate holds back is not sent: it throws the gate's error with the outcome `not-sent`. What the library
 * answers is reported to its gate, which may have been opened to try just that, and to `onAnswer`.
 */
export function notedWrites(
  client: SiteClient,
  siteId: string,
  { journal, gates }: { journal: UploadJournal; gates: SiteGates },
  onAnswer: () => void = () => {},
): SiteClient {
  const assertOpen = (isWrite: boolean) => {
    const held = gates.holdingBack(siteId, isWrite);
    if (held === null) return;
    // The time that the site asked for is the gate's: it is not to be waited for twice.
    const { retryAfterMs: _, ...details } = held.details ?? {};
    throw new AppError(held.code as ErrorCode, held.message, { ...details, outcome: 'not-sent', held: true });
  };
  return {
    ...client,
    async request(asked) {
      const isWrite = asked.method !== 'GET';
      if (isWrite && asked.isRepeatable !== true) await journal.whenDurable();
      assertOpen(isWrite);
      const answer = await client.request(asked);
      if (isOwnSite(client.baseUrl, answer.url)) gates.answered(siteId, isWrite);
      onAnswer();
      return answer;
    },
    async read(...asked) {
      assertOpen(false);
      const value = await client.read(...asked);
      gates.answered(siteId, false);
      onAnswer();
      return value;
    },
  };
}
