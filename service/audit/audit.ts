import type { ChangeNotes } from '../database/change-notes.ts';
import { writeMeta } from '../database/meta.ts';
import type { Bindable, Store } from '../database/store.ts';
import type { Site } from '../site/site.ts';
import { type Acting, actingNow, isRehashing } from './acting.ts';
import { POSTGRES_PENDING, postgresTriggersOf } from './postgres-triggers.ts';
import { type ChangedFields, type Entry, type Summary, summarize } from './summary.ts';
import { PENDING_CHANGES, triggersOf } from './triggers.ts';
import { WATCHED } from './watched-tables.ts';

/** What notes the changes that are recorded. */
export const AUDIT_NOTES: ChangeNotes = {
  sqlite: { table: PENDING_CHANGES, triggers: triggersOf(WATCHED) },
  postgres: {
    table: POSTGRES_PENDING,
    triggers: { name: 'audit', prefixes: ['audit_of_'], statements: postgresTriggersOf(WATCHED) },
  },
};

/**
 * Starts to record who changes what. Triggers note each change of the watched tables, whatever code makes it; at the end of its
 * transaction one row for each changed resource is written, so that a change and its row are durable together or not at all. Call it
 * after the seed, which is not recorded.
 */
export async function openAudit(store: Store, now: () => number): Promise<void> {
  await store.noteChanges(AUDIT_NOTES);
  store.beforeCommit(async () => {
    const pending = await store.all<PendingRow>(
      'SELECT kind, op, id, name, owner, fields FROM audit_pending ORDER BY seq',
    );
    if (pending.length === 0) return;
    await store.run('DELETE FROM audit_pending');
    const entries = pending.map(toEntry);
    await record(store, now(), actingNow(), isRehashing() ? entries.map(withSamePassword) : entries);
  });
}

type PendingRow = Omit<Entry, 'fields'> & { fields: string };

function toEntry(row: PendingRow): Entry {
  return { ...row, fields: JSON.parse(row.fields) as ChangedFields };
}

/** Only the hash of the password is another one. */
function withSamePassword(entry: Entry): Entry {
  return entry.kind === 'user' ? { ...entry, fields: { ...entry.fields, password: null } } : entry;
}

/** What gives access for a time; the service deletes it when it has expired. */
const EXPIRING: ReadonlySet<string> = new Set(['session', 'token', 'authorization', 'account-link']);

async function record(store: Store, at: number, acting: Acting | undefined, entries: readonly Entry[]): Promise<void> {
  const counted =
    acting === undefined ? entries.filter(({ kind, op }) => op !== 'delete' || !EXPIRING.has(kind)) : entries;
  const actor = acting && (await actorOf(store, acting, entries));
  const isAboutGroups = acting?.request.includes(' /api2/groups') === true;
  for (const summary of summarize(counted, isAboutGroups ? 'group' : undefined)) {
    await insert(store, at, acting, actor, summary);
  }
}

interface Actor {
  id: number;
  emailAddress: string | null;
}

/** Returns the user of the access token, or the user to whom what a request without one changes belongs. */
async function actorOf(store: Store, { userId }: Acting, entries: readonly Entry[]): Promise<Actor | undefined> {
  const id = userId ?? ownerOf(entries);
  if (id === undefined) return undefined;
  const row = await store.get<{ email_address: string }>('SELECT email_address FROM users WHERE id = ?', id);
  // Users may delete themselves.
  const deleted = entries.find((entry) => entry.kind === 'user' && entry.id === String(id));
  return { id, emailAddress: row?.email_address ?? deleted?.name ?? null };
}

/**
 * Returns the user to whom changes belong. A session that begins is that of the user who signs in, who may end the session of another
 * one in the same browser. Anyone can ask for a link of an account.
 */
function ownerOf(entries: readonly Entry[]): number | undefined {
  const owned = entries.filter(
    ({ kind, op, owner }) => owner !== null && !(kind === 'account-link' && op === 'insert'),
  );
  const begun = owned.find(({ kind, op }) => kind === 'session' && op === 'insert');
  return (begun ?? owned[0])?.owner ?? undefined;
}

async function insert(
  store: Store,
  at: number,
  acting: Acting | undefined,
  actor: Actor | undefined,
  summary: Summary,
): Promise<void> {
  const json = (value: object | null): Bindable => (value === null ? null : JSON.stringify(value));
  await store.run(
    `INSERT INTO audit (at, actor_id, actor, client_id, address, request, action, target_kind, target_id, target_name,
       before, after, also) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    at,
    actor?.id ?? null,
    actor?.emailAddress ?? null,
    acting?.clientId ?? null,
    acting?.address.slice(0, 100) ?? null,
    acting?.request ?? null,
    summary.action,
    summary.kind,
    summary.id,
    summary.name,
    json(summary.before),
    json(summary.after),
    json(summary.also),
  );
}

const DAY_MS = 86_400_000;
/** Rows that are deleted in one transaction. */
const DELETED_AT_ONCE = 500;

/** Deletes the rows that are older than `audit_days`, the oldest first, in small steps. */
export async function deleteOldAudit({
  store,
  settings,
  now,
}: Pick<Site, 'store' | 'settings' | 'now'>): Promise<void> {
  const days = settings.current().audit_days;
  const keptFrom = Math.floor(now() - days * DAY_MS);
  if (days === 0 || (await store.get('SELECT 1 FROM audit WHERE at < ? LIMIT 1', keptFrom)) === undefined) return;
  await store.transaction(async () => {
    await writeMeta(store, 'audit_kept_from', String(keptFrom));
    await store.run(
      'DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ? ORDER BY at LIMIT ?)',
      keptFrom,
      DELETED_AT_ONCE,
    );
  });
}
