import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import {
  type CollectionOp,
  type CollectionValues,
  isCollectionOp,
  isLocalId,
} from '../../../../shared/model/edits/collection-ops.ts';
import type {
  CollectionEdit,
  CollectionEditResult,
  CollectionEdits,
  PendingCollections,
} from '../../library/collections/collection-edit-port.ts';
import type { EditCommands } from '../commands/edit-commands.ts';
import { type EditJournal, keyOfEntity } from '../journal/edit-journal.ts';
import { type EditRecord, isCreation } from '../journal/edit-row.ts';
import type { DeletionProgress } from '../replay/deletion-progress.ts';
import type { AwaitedEdits } from './awaited-edits.ts';

export interface CollectionEditTools {
  journal: EditJournal;
  commands: EditCommands;
  awaited: AwaitedEdits;
  deletions: DeletionProgress;
}

/** Edits of collections whose caller waits for the result. They are stored and sent like edits of items. */
export class AwaitedCollectionEdits implements CollectionEdits {
  readonly #tools: CollectionEditTools;
  readonly #pending = new Map<string, PendingCollections>();
  readonly #awaited = new Map<string, number>();
  #revision = 0;

  constructor(tools: CollectionEditTools) {
    this.#tools = tools;
  }

  /** The open edits of collections of a library changed. */
  noteChange(siteId: string): void {
    this.#pending.delete(siteId);
  }

  /** Returns whether a caller waits for an edit of this collection; the caller then announces the change. */
  isAwaited(siteId: string, collectionId: string): boolean {
    return this.#awaited.has(keyOfEntity(siteId, collectionId, 'collection'));
  }

  idOf(collectionId: string): string {
    return this.#tools.journal.idOf(collectionId);
  }

  isDeleting(siteId: string): boolean {
    return this.#tools.deletions.isRunning(siteId);
  }

  stopDeletion(siteId: string): void {
    this.#tools.deletions.stop(siteId);
  }

  dropBlocked(siteId: string, collectionIds: readonly string[]): void {
    this.#tools.commands.dropBlocked(siteId, collectionIds, 'collection');
  }

  pendingOf(siteId: string): PendingCollections {
    const known = this.#pending.get(siteId);
    if (known !== undefined) return known;
    const opsOf = new Map<string, CollectionOp[]>();
    const asking = new Set<string>();
    for (const { entityId, ops, state } of this.#tools.journal.store.openOfCollections(siteId)) {
      const open = (ops ?? []).flatMap(({ op, outcome }) => (outcome === null && isCollectionOp(op) ? [op] : []));
      const known = opsOf.get(entityId) ?? [];
      // A creation comes first, as in `openOf`.
      opsOf.set(entityId, isCreation(ops) ? [...open, ...known] : [...known, ...open]);
      if (state !== 'pending') asking.add(entityId);
    }
    this.#revision += 1;
    const pending = { revision: this.#revision, opsOf, asking };
    this.#pending.set(siteId, pending);
    return pending;
  }

  async create(siteId: string, parentId: string, values: CollectionValues) {
    const collectionId = this.#tools.journal.newLocalId();
    const op = { kind: 'create-collection', v: 1, parentId: this.idOf(parentId), values } as const;
    const name = String(values.display_name ?? '');
    const { groupId, results } = await this.change(siteId, 'create', [{ collectionId, name, ops: [op] }]);
    const [result] = results;
    if (result === undefined) throw appError('internal', { details: { reason: 'a creation ended without a result' } });
    return { ...result, groupId };
  }

  async change(
    siteId: string,
    what: Parameters<CollectionEdits['change']>[1],
    edits: readonly CollectionEdit[],
    expectedItems?: number,
  ) {
    const { awaited, deletions } = this.#tools;
    const dropped =
      what === 'delete' ? edits.filter(({ collectionId }) => this.#isUncreated(siteId, collectionId)) : [];
    const done = dropped.map(({ collectionId }) => ({ collectionId, kind: 'done' as const, error: null }));
    const left = edits.filter((edit) => !dropped.includes(edit));
    if (left.length === 0) return { groupId: '', results: done, deletedItems: 0 };
    const stored = left.map(({ collectionId, name, ops }) => ({
      ...{ entityKind: 'collection' as const, entityId: this.idOf(collectionId), name },
      ops: ops.map((op) => ({ op, outcome: null })),
    }));
    const keys = stored.map(({ entityId }) => keyOfEntity(siteId, entityId, 'collection'));
    if (expectedItems !== undefined) deletions.begin(siteId, expectedItems);
    for (const key of keys) this.#awaited.set(key, (this.#awaited.get(key) ?? 0) + 1);
    try {
      const change = { collection: what };
      const again = () => {
        for (const { entityId } of stored) this.#retryCreation(siteId, entityId);
      };
      const group = await awaited.add({ siteId, label: '', change, undoes: null, edits: stored }, again);
      const results = [...done, ...group.records.map((record) => this.#resultOf(record))];
      const deletedItems = expectedItems === undefined ? 0 : deletions.end(siteId);
      return { groupId: group.groupId, results, deletedItems };
    } finally {
      if (expectedItems !== undefined) deletions.end(siteId);
      for (const key of keys) {
        const count = (this.#awaited.get(key) ?? 1) - 1;
        if (count === 0) this.#awaited.delete(key);
        else this.#awaited.set(key, count);
      }
    }
  }

  /**
   * Drops the edits of a collection that the library does not have, and returns true. Returns false for a collection that it has,
   * that an earlier request may have created, or that is being created.
   */
  #isUncreated(siteId: string, collectionId: string): boolean {
    const { journal, commands } = this.#tools;
    const id = journal.idOf(collectionId);
    if (!isLocalId(id)) return false;
    const open = journal.store.openOf(siteId, id, 'collection');
    // An earlier request may have created the collection: then it is searched and deleted.
    if (commands.checkUnclear(open).length > 0) return false;
    commands.drop({ ids: open.map(({ seq }) => String(seq)) });
    return journal.store.openOf(siteId, id, 'collection').length === 0;
  }

  /** Sends a refused creation of a collection again: a new edit of it can remove the reason why it was refused. */
  #retryCreation(siteId: string, collectionId: string): void {
    const { journal, commands } = this.#tools;
    if (!isLocalId(collectionId)) return;
    const refused = journal.store.openOf(siteId, collectionId, 'collection').filter(({ state }) => state === 'refused');
    if (refused.length > 0) commands.retry(refused);
  }

  #resultOf(record: EditRecord): CollectionEditResult {
    const collectionId = this.idOf(record.entityId);
    if (record.state === 'done') return { collectionId, kind: 'done', error: null };
    if (record.state === 'dropped') return { collectionId, kind: 'stopped', error: null };
    if (record.state === 'pending') {
      return { collectionId, kind: 'pending', error: record.error ?? this.#tools.awaited.reasonOf(record) };
    }
    this.#tools.commands.drop({ ids: [String(record.seq)] });
    return { collectionId, kind: 'failed', error: errorOf(record) };
  }
}

/** Returns the error of a record as the library's calls about collections report it. */
function errorOf({ error, ops, entityId }: EditRecord): AppErrorData {
  if (error === null) return appError('internal', { details: { reason: 'an edit ended without a result' } }).toData();
  if (error.code === 'edit.collection-gone') {
    return appError('api.not-found', { details: { collectionId: entityId } }).toData();
  }
  const asked = (ops ?? []).filter(({ asks }) => asks === true);
  const grown = asked.find(({ op }) => op.kind === 'delete-collection')?.theirs;
  if (typeof grown === 'object' && grown !== null && 'collections' in grown) {
    return appError('collection.grew', { details: { ...grown } }).toData();
  }
  if (error.code !== 'edit.conflict') return error;
  const fields = asked.map(({ op }) => ('field' in op ? op.field : 'parent_id'));
  return appError('collection.changed', { details: { fields: fields.join(', ') } }).toData();
}
