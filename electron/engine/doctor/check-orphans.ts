import type { Finding } from '../../../shared/contract/doctor.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { isoOf } from '../../../shared/model/iso-instant.ts';
import { AGREEMENT, longestOf, titleAgreement } from '../../../shared/model/title-match.ts';
import { hasFiles } from '../api/files.ts';
import type { SiteClient } from '../api/http-client.ts';
import { type ListedMedia, listMediaWithFiles } from '../api/media.ts';
import { CLOCK_SKEW_MS } from '../api/request-times.ts';
import type { Database } from '../store/database.ts';
import { firstOf, warning } from './findings.ts';

/** An item is created within this time of the intent; the clocks can differ by the same amount. */
const WITHIN_MS = 4 * 60_000;
/** The number of intents that are checked unless all are requested. */
const LATEST = 100;

/** The accounts of one library. */
const OF_LIBRARY = 'SELECT id FROM sites WHERE base_url = $baseUrl';

interface Intent {
  collectionId: string;
  title: string;
  /** Epoch milliseconds, by the library's clock if that clock was known. */
  at: number;
}

/**
 * Reports items without files that an upload of this profile probably created: in its collection, without an owner
 * among the uploads, and either created at the time of its creation request or with its title on the same day.
 */
export async function checkOrphans(
  site: Site,
  client: SiteClient,
  { database, all }: { database: Database; all: boolean },
): Promise<Finding[]> {
  const intents = intentsOf(database, site.id, all);
  const owned = new Set(
    database
      .prepare(`SELECT media_id FROM uploads WHERE media_id IS NOT NULL AND site_id IN (${OF_LIBRARY})`)
      .all({ baseUrl: site.baseUrl })
      .map(({ media_id }) => String(media_id)),
  );
  // The queue still searches for the items of these uploads, so they are not reported.
  const open = database
    .prepare(
      `SELECT title FROM uploads WHERE media_id IS NULL AND item_intent_at IS NOT NULL AND ended_at IS NULL
       AND site_id IN (${OF_LIBRARY})`,
    )
    .all({ baseUrl: site.baseUrl })
    .map(({ title }) => String(title));
  const orphans: { mediaId: string; title: string; createdOn: string | null }[] = [];
  for (const [collectionId, ofCollection] of Map.groupBy(intents, (intent) => intent.collectionId)) {
    const since = Math.min(...ofCollection.map(({ at }) => at)) - CLOCK_SKEW_MS;
    const createdAfter = isoOf(since);
    const items: ListedMedia[] = [];
    const query = { collection_id: collectionId, created_after: createdAfter };
    for await (const item of listMediaWithFiles(client, query)) items.push(item);
    const longest = longestOf(items.map(({ title }) => title));
    for (const item of items) {
      if (owned.has(item.id) || (item.files?.length ?? 0) > 0) continue;
      const looksOurs = ofCollection.some((intent) => {
        const apartMs = Math.abs(Date.parse(item.created_on ?? '') - intent.at);
        const agrees = titleAgreement(intent.title, item.title, longest) > AGREEMENT.none;
        return apartMs <= WITHIN_MS || (agrees && !(apartMs > CLOCK_SKEW_MS));
      });
      const isLookedFor = open.some((title) => titleAgreement(title, item.title, longest) > AGREEMENT.none);
      if (!looksOurs || isLookedFor || (await hasFiles(client, item.id)) !== false) continue;
      orphans.push({ mediaId: item.id, title: item.title, createdOn: item.created_on });
    }
  }
  if (orphans.length === 0) return [];
  const message =
    orphans.length === 1
      ? `${site.baseUrl}: 1 empty item seems to come from an upload, but belongs to none.`
      : `${site.baseUrl}: ${orphans.length} empty items seem to come from uploads, but belong to none.`;
  const nextStep =
    'Check the items named in the details in the library. Delete those that aren’t a colleague’s drafts.';
  return [
    warning({ code: 'service.item-orphan', message, nextStep, details: { site: site.baseUrl, ...firstOf(orphans) } }),
  ];
}

/** The latest creations of uploads that have ended or have their item. */
function intentsOf(database: Database, siteId: string, all: boolean): Intent[] {
  return database
    .prepare(
      `SELECT collection_id, title, coalesce(item_intent_server_at, item_intent_at) AS at FROM uploads
       WHERE site_id = $siteId AND item_intent_at IS NOT NULL AND (media_id IS NOT NULL OR ended_at IS NOT NULL)
       ORDER BY item_intent_at DESC LIMIT $limit`,
    )
    .all({ siteId, limit: all ? -1 : LATEST })
    .map((row) => ({ collectionId: String(row.collection_id), title: String(row.title), at: Number(row.at) }));
}
