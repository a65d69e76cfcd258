import { type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import type { GroupChange } from '../../../shared/contract/edits.ts';
import { isDeletion, isLocalId } from '../../../shared/model/edits/collection-ops.ts';
import type { Applied, EditResult } from '../library/edit-port.ts';
import type { EditCommands } from './commands/edit-commands.ts';
import { type EditJournal, keyOfEntity } from './journal/edit-journal.ts';
import type { EditRecord, EntityKind } from './journal/edit-row.ts';
import type { NewEdit } from './journal/edit-store.ts';

export interface ApplyTools {
  journal: EditJournal;
  commands: EditCommands;
  /** Starts to send edits, if the process does not do so yet. */
  start(): void;
  /** Why the library of an edit can't be reached; null when it can be reached. */
  waitsFor(siteId: string): AppErrorData | null;
  /** Calls the listener after attempts and when a library can't be reached any more. */
  onProgress(listener: () => void): () => void;
}

interface ApplyRequest {
  siteId: string;
  label?: string;
  /** null: each item has changes of its own. */
  change: GroupChange | null;
  edits: readonly NewEdit[];
  /** Whether the caller waits for the results. */
  wait: boolean;
}

/** Stores edits of items and collections, and waits for their results. */
export class AppliedEdits {
  readonly #tools: ApplyTools;
  /** By item or collection: the number of callers who wait for edits of it. */
  readonly #awaited = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  #isStopped = false;

  constructor(tools: ApplyTools) {
    this.#tools = tools;
  }

  /** Returns whether a caller waits for an edit of an item or collection; the caller then announces the change. */
  isAwaited(siteId: string, entityId: string, entityKind: EntityKind): boolean {
    return this.#awaited.has(keyOfEntity(siteId, entityId, entityKind));
  }

  /**
   * Stores edits as one group, and starts to send it. `wait`: sends it before all others, and returns the result of each edit once
   * it is decided or has to wait; otherwise there are no results. A deletion drops edits of its item or collection that wait for a
   * decision. The deletion of a collection that the library does not have drops all edits of it, and is not stored.
   */
  async apply({ siteId, label = '', change, edits, wait }: ApplyRequest): Promise<Applied> {
    const { journal, start } = this.#tools;
    const uncreated = this.#dropDeleted(siteId, edits);
    const results = [...uncreated].map(({ entityId }): EditResult => ({ entityId, kind: 'done', error: null }));
    const stored = edits.flatMap((edit) => {
      const entityId = journal.idOf(edit.entityId);
      if (uncreated.has(edit)) return [];
      return entityId === edit.entityId ? [edit] : [{ ...edit, entityId }];
    });
    if (stored.length === 0) return { groupId: '', results };
    const keys = wait ? stored.map(({ entityId, entityKind }) => keyOfEntity(siteId, entityId, entityKind)) : [];
    for (const key of keys) this.#awaited.set(key, (this.#awaited.get(key) ?? 0) + 1);
    try {
      const group = await journal.add({ siteId, label, change, undoes: null, edits: stored }, { isUrgent: wait });
      for (const { entityId } of stored) this.#retryCreation(siteId, entityId);
      start();
      if (!wait) return { groupId: group.id, results };
      const added = journal.store.byGroup(group.seq);
      const records = await Promise.all(added.map((record) => this.#settledOrWaiting(record)));
      return { groupId: group.id, results: [...results, ...records.map((record) => this.#resultOf(record))] };
    } finally {
      for (const key of keys) {
        const count = (this.#awaited.get(key) ?? 1) - 1;
        if (count === 0) this.#awaited.delete(key);
        else this.#awaited.set(key, count);
      }
    }
  }

  /** Ends every wait: unsent edits stay in the journal. */
  stop(): void {
    this.#isStopped = true;
    for (const check of this.#waiting) check();
  }

  /**
   * Drops edits that deletions make unnecessary. Returns the deletions of collections that the library does not have: there is
   * nothing left to delete.
   */
  #dropDeleted(siteId: string, edits: readonly NewEdit[]): ReadonlySet<NewEdit> {
    const { journal, commands } = this.#tools;
    const deletions = edits.filter(({ ops }) => ops.some(({ op }) => isDeletion(op)));
    for (const kind of ['media', 'collection'] as const) {
      const ids = deletions.flatMap(({ entityKind = 'media', entityId }) =>
        entityKind === kind ? [journal.idOf(entityId)] : [],
      );
      commands.dropBlocked(siteId, ids, kind);
    }
    return new Set(deletions.filter(({ entityId }) => this.#dropUncreated(siteId, journal.idOf(entityId))));
  }

  /**
   * Drops the edits of a collection that the library does not have, and returns true. Returns false for an item, for a collection
   * that the library has, that an earlier request may have created, or that is being created.
   */
  #dropUncreated(siteId: string, id: string): boolean {
    const { journal, commands } = this.#tools;
    if (!isLocalId(id)) return false;
    const open = journal.store.openOf(siteId, id, 'collection');
    // An earlier request may have created the collection: then it is searched and deleted.
    if (commands.checkUnclear(open).length > 0) return false;
    commands.drop(open.map(({ seq }) => String(seq)));
    return journal.store.openOf(siteId, id, 'collection').length === 0;
  }

  /** Sends a refused creation of a collection again: a new edit of it can remove the reason why it was refused. */
  #retryCreation(siteId: string, collectionId: string): void {
    const { journal, commands } = this.#tools;
    if (!isLocalId(collectionId)) return;
    const refused = journal.store.openOf(siteId, collectionId, 'collection').filter(({ state }) => state === 'refused');
    if (refused.length > 0) commands.retry(refused);
  }

  /** Resolves with the record when it is decided, or when its item or collection has to wait; it is still `pending` then. */
  #settledOrWaiting(added: EditRecord): Promise<EditRecord> {
    const { onProgress, journal } = this.#tools;
    return new Promise((resolve, reject) => {
      const check = () => {
        try {
          const record = journal.store.get(added.seq) ?? added;
          if (record.state === 'pending' && !this.#mustWait(record)) return;
          end();
          resolve(record);
        } catch (error) {
          end();
          reject(error);
        }
      };
      const unsubscribe = onProgress(check);
      const end = () => {
        unsubscribe();
        this.#waiting.delete(check);
      };
      this.#waiting.add(check);
      check();
    });
  }

  #mustWait({ siteId, entityId, entityKind }: EditRecord): boolean {
    const { journal, waitsFor } = this.#tools;
    const entity = journal.openEntity(siteId, entityId, entityKind);
    if (entity === null || entity.isBlocked || entity.nextAt !== null || journal.isWaiting(entity)) return true;
    return this.#isStopped || waitsFor(siteId) !== null;
  }

  /** Returns the result of a record. One that failed is dropped. */
  #resultOf(record: EditRecord): EditResult {
    const { journal, commands } = this.#tools;
    const { state, error } = record;
    const entityId = journal.idOf(record.entityId);
    if (state === 'done') return { entityId, kind: 'done', error: null };
    if (state === 'pending') return { entityId, kind: 'pending', error: error ?? this.#reasonOf(record) };
    // The user dropped or undid the edit in another view, or stopped the deletion.
    if (state === 'dropped') return { entityId, kind: 'stopped', error: error === null ? null : reportedError(record) };
    commands.drop([String(record.seq)]);
    return { entityId, kind: 'failed', error: reportedError(record) };
  }

  /** Returns why a record that has to wait is not sent: the library, or an earlier edit of the same item or collection. */
  #reasonOf({ siteId, entityId, entityKind, seq }: EditRecord): AppErrorData | null {
    const { journal, waitsFor } = this.#tools;
    const open = journal.store.openOf(siteId, entityId, entityKind);
    return waitsFor(siteId) ?? open.find((each) => each.seq < seq && each.error !== null)?.error ?? null;
  }
}

/** Returns the error of a record as the library's calls report it. */
function reportedError({ error, ops, entityId, entityKind }: EditRecord): AppErrorData {
  if (error === null) return appError('internal', { details: { reason: 'an edit ended without a result' } }).toData();
  const asked = (ops ?? []).filter(({ asks }) => asks === true);
  if (entityKind === 'media') {
    if (error.code === 'edit.item-gone') return appError('api.not-found', { details: { mediaId: entityId } }).toData();
    const theirs = asked.map((stored) => ({ kind: stored.op.kind, theirs: stored.theirs }));
    return theirs.length === 0 ? error : { ...error, details: { ...error.details, theirs } };
  }
  if (error.code === 'edit.collection-gone') {
    return appError('api.not-found', { details: { collectionId: entityId } }).toData();
  }
  const grown = asked.find(({ op }) => op.kind === 'delete-collection')?.theirs;
  if (typeof grown === 'object' && grown !== null && 'collections' in grown) {
    return appError('collection.grew', { details: { ...grown } }).toData();
  }
  if (error.code !== 'edit.conflict') return error;
  const fields = asked.map(({ op }) => ('field' in op ? op.field : 'parent_id'));
  return appError('collection.changed', { details: { fields: fields.join(', ') } }).toData();
}
