import {
  EDIT_STATES,
  type EditCounts,
  type EditFilter,
  type EditState,
  type EditTotals,
} from '../../../../shared/contract/edits.ts';
import { localIdsOf } from '../../../../shared/model/edits/collection-ops.ts';
import type { EditOp } from '../../../../shared/model/edits/edit-ops.ts';
import { BulkCommandStore } from '../../bulk-commands/bulk-command-store.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { lazily } from '../../store/lazily.ts';
import { OF_LIBRARY } from '../../store/site-store.ts';
import { Statements } from '../../store/statements.ts';
import { type EditRecord, type EntityKind, type GroupRecord, OPEN_EDIT_STATES, type StoredOp } from './edit-row.ts';
import { DELETIONS, kindBits } from './op-kinds.ts';
import { editSumOf, kindOf, toGroup, toRecord } from './stored-rows.ts';

/** A new record of a group. */
export interface NewEdit {
  /** Default: an item. */
  entityKind?: EntityKind;
  entityId: string;
  name: string;
  ops: readonly StoredOp[];
}

/** The position of an open record, for the lane. */
export interface OpenEdit {
  seq: number;
  siteId: string;
  entityKind: EntityKind;
  entityId: string;
  state: EditState;
  nextAt: number | null;
  /** Whether an op names a collection by a local id. */
  isLinked: boolean;
}

const COLUMNS =
  'seq, group_seq, site_id, entity_kind, entity_id, name, ops, ops_sum, state, error, attempts, next_at, sent_at, created_at, ended_at';
const CREATION = kindBits(['create-collection']);
const OPEN = OPEN_EDIT_STATES.map((state) => `'${state}'`).join(', ');
/** Excludes groups of which only a part is stored: they may never be complete. */
export const IN_COMPLETE_GROUPS = 'group_seq NOT IN (SELECT seq FROM edit_groups WHERE is_complete = 0)';
/** The same condition for queries that read few edits: it does not read all groups. */
const OF_COMPLETE = 'EXISTS (SELECT 1 FROM edit_groups WHERE edit_groups.seq = group_seq AND is_complete = 1)';
/** Whether an edit is about an item or a collection that a later edit deleted. */
const IS_REMOVED = `EXISTS (SELECT 1 FROM edits AS later WHERE later.entity_id = edits.entity_id AND later.seq > edits.seq
  AND later.site_id = edits.site_id AND later.entity_kind = edits.entity_kind AND later.state = 'done'
  AND (later.op_kinds & ${kindBits(['delete', 'delete-collection'])}) <> 0)`;
/** The rows of the journal of edits. Each method is one statement; the caller owns the transaction. */
export class EditStore {
  /** The commands about many edits that are not complete. */
  readonly commands: BulkCommandStore;
  readonly #database: Database;
  readonly #statements: Statements;

  constructor(database: Database) {
    this.commands = new BulkCommandStore(database, 'edits');
    this.#database = database;
    this.#statements = new Statements(database);
  }

  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  /** Runs a transaction that a power cut can undo until the next one of `transaction`. */
  lazyTransaction(work: () => void): void {
    lazily(this.#database, () => this.#database.transaction(work));
  }

  /** Resolves when every commit so far would survive a power cut. */
  whenDurable(): Promise<void> {
    return this.#database.whenDurable();
  }

  /** Stores a group whose records follow; until `completeGroup` it is not listed and none of its records is sent. */
  beginGroup(group: Omit<GroupRecord, 'seq' | 'endedAt' | 'undoneBy' | 'undoneAt' | 'redoneBy'>): number {
    const sql = `INSERT INTO edit_groups (id, site_id, label, change, items, first_name, is_complete, undoes, created_at)
      VALUES ($id, $siteId, $label, $change, $items, $firstName, 0, $undoes, $createdAt)`;
    const { change, ...rest } = group;
    this.#run(sql, { ...rest, change: change === null ? null : JSON.stringify(change) });
    return Number(this.#get('SELECT seq FROM edit_groups WHERE id = $id', { id: group.id })?.seq);
  }

  addEdits(groupSeq: number, siteId: string, edits: readonly NewEdit[], now: number): void {
    const sql = `INSERT INTO edits (group_seq, site_id, entity_kind, entity_id, name, ops, ops_sum, op_kinds, is_linked,
        state, attempts, created_at)
      VALUES ($groupSeq, $siteId, $entityKind, $entityId, $name, $ops, $sum, $kinds, $isLinked, 'pending', 0, $now)`;
    for (const { entityKind = 'media', entityId, name, ops: stored } of edits) {
      const ops = JSON.stringify(stored);
      const sum = editSumOf(siteId, entityKind, entityId, ops);
      this.#run(sql, { groupSeq, siteId, entityKind, entityId, name, ops, sum, now, ...factsOf(stored) });
    }
  }

  completeGroup(groupSeq: number): void {
    this.#run('UPDATE edit_groups SET is_complete = 1 WHERE seq = $groupSeq', { groupSeq });
  }

  /** Removes groups that a crash left incomplete: none of their records was confirmed or sent. */
  removeIncomplete(): void {
    this.#run('DELETE FROM edits WHERE group_seq IN (SELECT seq FROM edit_groups WHERE is_complete = 0)', {});
    this.#run('DELETE FROM edit_groups WHERE is_complete = 0', {});
  }

  /** Stores the changed fields of a record. */
  save(record: EditRecord): void {
    const sql = `UPDATE edits SET ops = coalesce($ops, ops), ops_sum = iif($ops IS NULL, ops_sum, $sum), state = $state,
      items_sent = iif($ops IS NULL, items_sent, $itemsSent), unanswered = iif($ops IS NULL, unanswered, $unanswered),
      op_kinds = iif($ops IS NULL, op_kinds, $kinds), is_linked = iif($ops IS NULL, is_linked, $isLinked),
      error = $error, error_code = $code, attempts = $attempts, next_at = $nextAt, sent_at = $sentAt, ended_at = $endedAt
      WHERE seq = $seq`;
    const { seq, state, error, retries, nextAt, sentAt, endedAt } = record;
    const ops = record.ops === null ? null : JSON.stringify(record.ops);
    // The subject is read from the row: a collection may have got its library id since the record was read.
    const row = this.#get('SELECT site_id, entity_kind, entity_id FROM edits WHERE seq = $seq', { seq });
    const sum =
      ops === null || row === undefined
        ? null
        : editSumOf(String(row.site_id), String(row.entity_kind), String(row.entity_id), ops);
    this.#run(sql, {
      seq,
      ops,
      sum,
      state,
      attempts: retries,
      nextAt,
      sentAt,
      endedAt,
      itemsSent: record.ops?.[0]?.sentItems?.length ?? 0,
      unanswered: Number((record.ops ?? []).some(({ isUnanswered }) => isUnanswered === true)),
      ...factsOf(record.ops ?? []),
      error: error === null ? null : JSON.stringify(error),
      code: error?.code ?? null,
    });
  }

  endGroup(groupSeq: number, endedAt: number | null): void {
    this.#run('UPDATE edit_groups SET ended_at = $endedAt WHERE seq = $groupSeq', { groupSeq, endedAt });
  }

  /** Marks a group as undone. `undoneBy` null: nothing had been sent, or the group is not known yet. */
  noteUndone(groupSeq: number, undoneBy: string | null, at: number): void {
    const sql =
      'UPDATE edit_groups SET undone_by = coalesce($undoneBy, undone_by), undone_at = $at WHERE seq = $groupSeq';
    this.#run(sql, { groupSeq, undoneBy, at });
  }

  clearUndone(groupSeq: number): void {
    const sql = 'UPDATE edit_groups SET undone_by = NULL, undone_at = NULL WHERE seq = $groupSeq';
    this.#run(sql, { groupSeq });
  }

  /** Returns whether the undo of a group was begun, and is not complete. */
  isUndoUnfinished(groupSeq: number): boolean {
    return this.commands.has('undo', String(groupSeq));
  }

  /** Returns the numbers of undone groups without a group that restores sent values, in order: their undo is complete, or was begun. */
  undoneAlone(): number[] {
    const sql = `SELECT seq FROM edit_groups
      WHERE is_complete = 1 AND undone_at IS NOT NULL AND undone_by IS NULL AND redone_by IS NULL ORDER BY seq`;
    return this.#all(sql, {}).map(({ seq }) => Number(seq));
  }

  noteRedone(groupSeq: number, redoneBy: string): void {
    this.#run('UPDATE edit_groups SET redone_by = $redoneBy WHERE seq = $groupSeq', { groupSeq, redoneBy });
  }

  /** Adds the local id of a collection that is created on this computer; the library does not have it yet. */
  addLocalId(siteId: string, localId: string): void {
    const sql = `INSERT INTO entity_refs (local_id, site_id, entity_kind, server_id)
      VALUES ($localId, $siteId, 'collection', NULL) ON CONFLICT DO NOTHING`;
    this.#run(sql, { siteId, localId });
  }

  /** Stores the library's id of a collection: from now on its edits belong to that id. */
  setServerId(siteId: string, localId: string, serverId: string): void {
    this.#run('UPDATE entity_refs SET server_id = $serverId WHERE local_id = $localId', { localId, serverId });
    const rows = this.#all(
      `SELECT seq, ops, ops_sum FROM edits WHERE site_id = $siteId AND entity_kind = 'collection' AND entity_id = $localId`,
      { siteId, localId },
    );
    for (const { seq, ops, ops_sum: before } of rows) {
      // A damaged row stays damaged.
      const isValid = before === editSumOf(siteId, 'collection', localId, String(ops));
      const sum = isValid ? editSumOf(siteId, 'collection', serverId, String(ops)) : (before as string | null);
      const sql = 'UPDATE edits SET entity_id = $serverId, ops_sum = $sum WHERE seq = $seq';
      this.#run(sql, { serverId, sum, seq: Number(seq) });
    }
  }

  /** Returns every local id of a collection, with the library's id if it is known. */
  localIds(): { localId: string; siteId: string; serverId: string | null }[] {
    const sql = `SELECT local_id, site_id, server_id FROM entity_refs WHERE entity_kind = 'collection'`;
    return this.#all(sql, {}).map((row) => ({
      localId: String(row.local_id),
      siteId: String(row.site_id),
      serverId: row.server_id as string | null,
    }));
  }

  /** Notes that the item of a record was restored as another item. */
  addRestored(seq: number, siteId: string, serverId: string): void {
    const sql = `INSERT INTO entity_refs (local_id, site_id, entity_kind, server_id)
      VALUES ($localId, $siteId, 'media', $serverId) ON CONFLICT DO UPDATE SET server_id = excluded.server_id`;
    this.#run(sql, { localId: `restored:${seq}`, siteId, serverId });
  }

  /** Returns the records of an item or collection with ops that the library may have although they were dropped, in order. */
  unansweredOf(siteId: string, entityId: string, entityKind: EntityKind): EditRecord[] {
    const sql = `SELECT ${COLUMNS} FROM edits WHERE entity_id = $entityId AND site_id = $siteId AND entity_kind = $entityKind
      AND state NOT IN (${OPEN}) AND unanswered > 0 ORDER BY seq`;
    return this.#all(sql, { siteId, entityId, entityKind }).map(toRecord);
  }

  /** Returns whether an edit of this computer, in any account of the library, created a collection or an item of it. */
  hasCreated(siteId: string, serverId: string, entityKind: EntityKind): boolean {
    const sql = `SELECT 1 AS n FROM entity_refs
      WHERE site_id IN (${OF_LIBRARY}) AND server_id = $serverId AND entity_kind = $entityKind LIMIT 1`;
    return this.#get(sql, { siteId, serverId, entityKind }) !== undefined;
  }

  /**
   * Returns the records whose item may have been created again by a request without an answer, in all accounts of the library.
   */
  restoring(siteId: string): EditRecord[] {
    const sql = `SELECT ${COLUMNS} FROM edits
      WHERE site_id IN (${OF_LIBRARY}) AND items_sent > 0 AND +state IN (${OPEN})`;
    return this.#all(sql, { siteId }).map(toRecord);
  }

  group(id: string): GroupRecord | null {
    const row = this.#get('SELECT * FROM edit_groups WHERE id = $id AND is_complete = 1', { id });
    return row === undefined ? null : toGroup(row);
  }

  groupBySeq(seq: number): GroupRecord | null {
    const row = this.#get('SELECT * FROM edit_groups WHERE seq = $seq AND is_complete = 1', { seq });
    return row === undefined ? null : toGroup(row);
  }

  /** The newest first. */
  groups(where: { siteId: string | null; isOpen: boolean }, offset: number, limit: number) {
    const condition = `is_complete = 1 AND ($siteId IS NULL OR site_id = $siteId) AND ($isOpen = 0 OR ended_at IS NULL)`;
    const parameters = { siteId: where.siteId, isOpen: Number(where.isOpen) };
    const total = Number(this.#get(`SELECT count(*) AS n FROM edit_groups WHERE ${condition}`, parameters)?.n);
    const sql = `SELECT * FROM edit_groups WHERE ${condition} ORDER BY seq DESC LIMIT $limit OFFSET $offset`;
    return { total, groups: this.#all(sql, { ...parameters, limit, offset }).map(toGroup) };
  }

  /** Records of a group by state; every state is present. */
  countsOf(groupSeq: number): EditCounts {
    const counts = Object.fromEntries(EDIT_STATES.map((state) => [state, 0])) as EditCounts;
    const sql = 'SELECT state, count(*) AS n FROM edits WHERE group_seq = $groupSeq GROUP BY state';
    for (const { state, n } of this.#all(sql, { groupSeq })) counts[state as EditState] = Number(n);
    return counts;
  }

  /** Returns whether a group sent something that an undo can restore: anything but deletions, and edits of what was deleted since. */
  hasUndoable(groupSeq: number): boolean {
    const sql = `SELECT 1 AS n FROM edits WHERE group_seq = $groupSeq AND state = 'done'
      AND (op_kinds & ${DELETIONS}) = 0 AND NOT ${IS_REMOVED} LIMIT 1`;
    return this.#get(sql, { groupSeq }) !== undefined;
  }

  /** Returns whether a later edit deleted the item or the collection that this edit is about. */
  isRemoved(seq: number): boolean {
    return this.#get(`SELECT 1 AS n FROM edits WHERE seq = $seq AND ${IS_REMOVED}`, { seq }) !== undefined;
  }

  /** Returns the number of open records by state, of one account or of all (null). */
  totals(siteId: string | null = null): EditTotals {
    const totals = { pending: 0, held: 0, conflict: 0, refused: 0 };
    const sql = `SELECT state, count(*) AS n FROM edits
      WHERE state IN (${OPEN}) AND ($siteId IS NULL OR site_id = $siteId) AND ${IN_COMPLETE_GROUPS} GROUP BY state`;
    for (const { state, n } of this.#all(sql, { siteId })) totals[state as keyof EditTotals] = Number(n);
    return totals;
  }

  /** Returns the number of records of all groups that the library has. */
  sent(): number {
    return Number(this.#get("SELECT count(*) AS n FROM edits WHERE state = 'done'", {})?.n);
  }

  /** Returns every open record in order, without its contents and without records of incomplete groups. */
  open(): OpenEdit[] {
    const sql = `SELECT edits.seq, edits.site_id, entity_kind, entity_id, state, next_at, is_linked
      FROM edits
      JOIN edit_groups ON edit_groups.seq = group_seq AND is_complete = 1 WHERE state IN (${OPEN}) ORDER BY edits.seq`;
    return this.#all(sql, {}).map((row) => ({
      seq: Number(row.seq),
      siteId: String(row.site_id),
      entityKind: kindOf(row),
      entityId: String(row.entity_id),
      state: row.state as EditState,
      nextAt: row.next_at as number | null,
      isLinked: row.is_linked === 1,
    }));
  }

  /**
   * Returns the open records of one entity, in order. A creation comes first: a redo can apply it again after edits of the
   * collection that were refused without it. `incomplete`: groups whose records are returned although only a part of them is
   * stored yet.
   */
  openOf(
    siteId: string,
    entityId: string,
    entityKind: EntityKind = 'media',
    incomplete: readonly number[] = [],
  ): EditRecord[] {
    const also = incomplete.length === 0 ? '' : 'OR group_seq IN (SELECT value FROM json_each($incomplete))';
    const sql = `SELECT ${COLUMNS} FROM edits WHERE site_id = $siteId AND entity_kind = $entityKind
      AND entity_id = $entityId AND state IN (${OPEN}) AND (${OF_COMPLETE} ${also})
      ORDER BY (op_kinds & ${CREATION}) = 0, edits.seq`;
    const parameters: Record<string, string> = { siteId, entityKind, entityId };
    if (incomplete.length > 0) parameters.incomplete = JSON.stringify(incomplete);
    return this.#all(sql, parameters).map(toRecord);
  }

  /** Returns whether any edit of an item, in whatever state, had an op of one of these kinds. */
  hadOp(siteId: string, mediaId: string, kinds: readonly EditOp['kind'][]): boolean {
    const sql = `SELECT 1 AS n FROM edits WHERE site_id = $siteId AND entity_kind = 'media' AND entity_id = $mediaId
      AND (op_kinds & $kinds) <> 0`;
    return this.#get(sql, { siteId, mediaId, kinds: kindBits(kinds) }) !== undefined;
  }

  /** Open records of all collections of a library, in order. */
  openOfCollections(siteId: string): EditRecord[] {
    const sql = `SELECT ${COLUMNS} FROM edits WHERE site_id = $siteId AND entity_kind = 'collection'
      AND state IN (${OPEN}) AND ${OF_COMPLETE} ORDER BY edits.seq`;
    return this.#all(sql, { siteId }).map(toRecord);
  }

  get(seq: number): EditRecord | null {
    const row = this.#get(`SELECT ${COLUMNS} FROM edits WHERE seq = $seq`, { seq });
    return row === undefined ? null : toRecord(row);
  }

  /** Returns the numbers of the first and the last record of a group; null when it has none. */
  rangeOfGroup(groupSeq: number): { first: number; last: number } | null {
    const row = this.#get('SELECT min(seq) AS first, max(seq) AS last FROM edits WHERE group_seq = $groupSeq', {
      groupSeq,
    });
    return row?.first == null ? null : { first: Number(row.first), last: Number(row.last) };
  }

  /** At most `limit` records of a group with these numbers, in order. */
  inGroup(groupSeq: number, { first, last }: { first: number; last: number }, limit: number): EditRecord[] {
    // Selected by their numbers, which are consecutive in a group; the index of groups would be sorted for each page.
    const sql = `SELECT ${COLUMNS} FROM edits WHERE seq BETWEEN $first AND $last AND +group_seq = $groupSeq
      ORDER BY seq LIMIT $limit`;
    return this.#all(sql, { groupSeq, first, last, limit }).map(toRecord);
  }

  byGroup(groupSeq: number): EditRecord[] {
    return this.#all(`SELECT ${COLUMNS} FROM edits WHERE group_seq = $groupSeq ORDER BY seq`, { groupSeq }).map(
      toRecord,
    );
  }

  /** Returns a page of records, in order or the newest first. `limit` -1: all of them. */
  page(
    where: {
      groupSeq: number | null;
      filter: EditFilter;
      entityId: string | null;
      entityKind?: EntityKind;
      siteId?: string | undefined;
      isNewestFirst?: boolean;
    },
    offset: number,
    limit: number,
  ): { total: number; records: EditRecord[] } {
    const states = JSON.stringify(statesOf(where.filter));
    const condition = `state IN (SELECT value FROM json_each($states)) AND ($groupSeq IS NULL OR group_seq = $groupSeq)
      AND ${IN_COMPLETE_GROUPS}
      AND ($siteId IS NULL OR site_id = $siteId)
      AND ($entityId IS NULL OR (entity_id = $entityId AND entity_kind = $entityKind))`;
    const { groupSeq, entityId, entityKind = 'media', siteId = null } = where;
    const parameters = { groupSeq, entityId, entityKind, siteId, states };
    const total = Number(this.#get(`SELECT count(*) AS n FROM edits WHERE ${condition}`, parameters)?.n);
    const order = where.isNewestFirst === true ? 'DESC' : 'ASC';
    const sql = `SELECT ${COLUMNS} FROM edits WHERE ${condition} ORDER BY seq ${order} LIMIT $limit OFFSET $offset`;
    return { total, records: this.#all(sql, { ...parameters, limit, offset }).map(toRecord) };
  }

  #run(sql: string, parameters: Record<string, string | number | null>): void {
    this.#statements.prepare(sql).run(parameters);
  }

  #get(sql: string, parameters: Record<string, string | number | null>): SqlRow | undefined {
    return this.#statements.prepare(sql).get(parameters);
  }

  #all(sql: string, parameters: Record<string, string | number | null>): SqlRow[] {
    return this.#statements.prepare(sql).all(parameters);
  }
}

/** Returns the properties of ops that have columns of their own for queries. */
function factsOf(ops: readonly StoredOp[]) {
  return {
    kinds: kindBits(ops.map(({ op }) => op.kind)),
    isLinked: Number(ops.some(({ op }) => localIdsOf(op).length > 0)),
  };
}

function statesOf(filter: EditFilter): readonly EditState[] {
  if (filter === 'all') return EDIT_STATES;
  if (filter === 'open') return OPEN_EDIT_STATES;
  if (filter === 'attention') return ['held', 'conflict', 'refused'];
  return [filter];
}
