import type { SiteRecord, SiteRecords } from '../account/site-records.ts';
import type { Database, SqlRow } from './database.ts';

/** SQL: the accounts of the library of $siteId. */
export const OF_LIBRARY = `SELECT $siteId UNION
  SELECT other.id FROM sites JOIN sites AS other ON other.base_url = sites.base_url WHERE sites.id = $siteId`;

/** The accounts of this profile, in the queue database. Contains no secrets, which are in the keychain. */
export function createSiteRecords(database: Database): SiteRecords {
  const all = database.prepare('SELECT * FROM sites');
  const one = database.prepare('SELECT * FROM sites WHERE id = $id');
  const put = database.prepare(
    `INSERT INTO sites (id, base_url, client_id, record) VALUES ($id, $baseUrl, $clientId, $record)
     ON CONFLICT (id) DO UPDATE SET base_url = $baseUrl, client_id = $clientId, record = $record`,
  );
  // Cached, because every request reads them. Only this process writes them.
  const known = new Map<string, SiteRecord>();
  return {
    list: () =>
      all
        .all()
        .map(toRecord)
        .sort((a, b) => a.addedAt - b.addedAt),
    get: (id) => {
      const cached = known.get(id);
      if (cached !== undefined) return cached;
      const row = one.get({ id });
      if (row === undefined) return null;
      const record = toRecord(row);
      known.set(id, record);
      return record;
    },
    put: (record) => {
      const { id, baseUrl, clientId } = record;
      known.delete(id);
      put.run({ id, baseUrl, clientId, record: JSON.stringify(record) });
    },
  };
}

function toRecord(row: SqlRow): SiteRecord {
  try {
    const record: unknown = JSON.parse(String(row.record));
    if (typeof record === 'object' && record !== null && 'id' in record && record.id === row.id) {
      // Records of the first version have no owner.
      return { userId: null, ...(record as Omit<SiteRecord, 'userId'>) };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return rebuiltRecord(row);
}

/**
 * Rebuilds a damaged record from the other columns. The keychain entries have numbers, so the newest is known without the record.
 */
function rebuiltRecord(row: SqlRow): SiteRecord {
  return {
    id: String(row.id),
    baseUrl: String(row.base_url),
    clientId: String(row.client_id),
    userId: null,
    accountName: null,
    keychainSlot: 'a',
    keptIn: 'system',
    refreshingSince: null,
    addedAt: 0,
    signedIn: true,
  };
}
