import type { Store } from '../database/store.ts';

/** Which rows are wanted; absent: all. */
export interface AuditFilter {
  /** Epoch ms, inclusive. */
  since?: number | undefined;
  /** Epoch ms, exclusive. */
  until?: number | undefined;
  /** The id of a user, or an e-mail address as it was at that time, or `system`. */
  actor?: string | undefined;
}

/** A row as it is exported. */
export interface AuditRecord {
  id: number;
  /** ISO-8601 with milliseconds. */
  at: string;
  /** null: the service itself, or a client that no user is known of. */
  actor: { id: string; email_address: string | null } | null;
  client_id: string | null;
  address: string | null;
  /** Method and route; null: work of the service itself. */
  request: string | null;
  action: string;
  target: { kind: string; id: string; name: string | null };
  before: unknown;
  after: unknown;
  also: unknown;
}

interface Row {
  id: number;
  at: number;
  actor_id: number | null;
  actor: string | null;
  client_id: string | null;
  address: string | null;
  request: string | null;
  action: string;
  target_kind: string;
  target_id: string;
  target_name: string | null;
  before: string | null;
  after: string | null;
  also: string | null;
}

const PAGE = 500;

/** The rows that are wanted, oldest first, in pages: other work can be done between two of them. */
export async function* auditPages({ all }: Pick<Store, 'all'>, filter: AuditFilter): AsyncIterable<AuditRecord[]> {
  const conditions: string[] = [];
  const params: (string | number)[] = [];
  if (filter.since !== undefined) {
    conditions.push('at >= ?');
    params.push(filter.since);
  }
  if (filter.until !== undefined) {
    conditions.push('at < ?');
    params.push(filter.until);
  }
  if (filter.actor === 'system') conditions.push('request IS NULL');
  else if (filter.actor !== undefined) {
    conditions.push('(CAST(actor_id AS TEXT) = ? OR actor COLLATE NOCASE = ? COLLATE NOCASE)');
    params.push(filter.actor, filter.actor);
  }
  const where = ['id > ?', ...conditions].join(' AND ');
  for (let after = 0; ; ) {
    const rows = await all<Row>(`SELECT * FROM audit WHERE ${where} ORDER BY id LIMIT ${PAGE}`, after, ...params);
    if (rows.length > 0) yield rows.map(toRecord);
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? 0;
  }
}

function toRecord(row: Row): AuditRecord {
  const { id, client_id, address, request, action } = row;
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return {
    id,
    at: new Date(row.at).toISOString(),
    actor: row.actor_id === null ? null : { id: String(row.actor_id), email_address: row.actor },
    client_id,
    address,
    request,
    action,
    target: { kind: row.target_kind, id: row.target_id, name: row.target_name },
    before: parsed(row.before),
    after: parsed(row.after),
    also: parsed(row.also),
  };
}
