import type { SiteClient } from '../api/http-client.ts';
import { isOwnSite } from '../api/links.ts';
import type { SiteGates } from './site-gates.ts';
import type { UploadJournal } from './upload-journal.ts';

/**
 * The same client. What is known is on the disk before anything in the library is changed because of it; and that the
 * library took a change is told to its gate, which may have been opened to try just that.
 */
export function notedWrites(
  client: SiteClient,
  siteId: string,
  { journal, gates }: { journal: UploadJournal; gates: SiteGates },
): SiteClient {
  return {
    ...client,
    async request(asked) {
      if (asked.method === 'GET') return client.request(asked);
      if (asked.isRepeatable !== true) await journal.whenDurable();
      const answer = await client.request(asked);
      if (isOwnSite(client.baseUrl, answer.url)) gates.passed(siteId);
      return answer;
    },
  };
}
