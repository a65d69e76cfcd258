import type { ReceiptHits } from '../../../../shared/contract/uploads.ts';
import type { Database, SqlValue } from '../../store/database.ts';
import type { BatchStore } from '../journal/batch-store.ts';
import type { UploadStore } from '../journal/upload-store.ts';
import { receiptLine } from './receipts.ts';

/** The length of the shortest word that the trigram index can find. */
const SHORTEST_INDEXED = 3;

/**
 * Searches every receipt: all words have to be in the file name or the title, whatever their case and accents; or the text is an
 * id (of upload, batch, item or file), or the beginning of a SHA-256. Newest first.
 */
export function searchReceipts(
  { text, limit, offset }: { text: string; limit: number; offset: number },
  { database, store, batches }: { database: Database; store: UploadStore; batches: BatchStore },
  baseUrlOf: (siteId: string) => string,
): ReceiptHits {
  const { sql, parameters } = hitsOf(text.normalize('NFC').trim());
  const total = Number(database.prepare(`SELECT count(*) AS n FROM (${sql})`).get(parameters)?.n ?? 0);
  const ids = database
    .prepare(`SELECT id FROM uploads WHERE seq IN (${sql}) ORDER BY seq DESC LIMIT $limit OFFSET $offset`)
    .all({ ...parameters, limit, offset })
    .map(({ id }) => String(id));
  const rows = ids.flatMap((id) => {
    const upload = store.get(id);
    const batch = upload && batches.get(upload.batchId);
    if (!upload || !batch) return [];
    const { collectionId, collectionName } = batch;
    const site = baseUrlOf(upload.siteId);
    return [{ batchId: batch.id, site, collectionId, collectionName, line: receiptLine(upload, site) }];
  });
  return { total, rows };
}

/** Returns the query for the numbers of the matching rows. Each part uses an index, except for words of one or two letters. */
function hitsOf(text: string): { sql: string; parameters: Record<string, SqlValue> } {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return { sql: 'SELECT seq FROM uploads', parameters: {} };
  const parameters: Record<string, SqlValue> = {};
  const long = words.filter((word) => Array.from(word).length >= SHORTEST_INDEXED);
  const short = words.filter((word) => !long.includes(word));
  const conditions = short.map((word, index) => {
    parameters[`short${index}`] = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    return `(file_name LIKE $short${index} ESCAPE '\\' OR title LIKE $short${index} ESCAPE '\\')`;
  });
  if (long.length > 0) {
    parameters.words = long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
    conditions.unshift('seq IN (SELECT rowid FROM upload_words WHERE upload_words MATCH $words)');
  }
  const byName = `SELECT seq FROM uploads WHERE ${conditions.join(' AND ')}`;
  if (words.length > 1) return { sql: byName, parameters };
  const id = words[0] ?? '';
  // The index of `media_id` begins with the account, so this condition names all accounts, which are few.
  const byItem = 'media_id = $id AND site_id IN (SELECT site_id FROM batches)';
  const byId = ['id = $id', 'batch_id = $id', byItem, 'file_id = $id'].map(
    (condition) => `SELECT seq FROM uploads WHERE ${condition}`,
  );
  const all: Record<string, SqlValue> = { ...parameters, id };
  if (/^[0-9a-f]{6,64}$/i.test(id)) {
    byId.push('SELECT seq FROM uploads WHERE sha256 >= $hash AND sha256 < $hashEnd');
    all.hash = id.toLowerCase();
    all.hashEnd = `${id.toLowerCase()}g`;
  }
  return { sql: [byName, ...byId].join(' UNION '), parameters: all };
}
