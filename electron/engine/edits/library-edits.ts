import type { MediaItem } from '../../../shared/api/media.ts';
import { appError, errorFrom } from '../../../shared/contract/app-error.ts';
import type { GroupChange, ItemChange } from '../../../shared/contract/edits.ts';
import { planItem } from '../../../shared/model/edits/bulk-change.ts';
import {
  type CollectionOp,
  type CollectionValues,
  isCollectionOp,
} from '../../../shared/model/edits/collection-ops.ts';
import { type EditableMedia, editableOf } from '../../../shared/model/edits/edit-ops.ts';
import { existing } from '../api/existing.ts';
import type { SiteClient } from '../api/http-client.ts';
import { getMedia } from '../api/media.ts';
import type { DeletionProgress } from '../library/collections/deletion-progress.ts';
import {
  type Applied,
  collectionIntents,
  type EditResult,
  type ItemEditResult,
  type LibraryEdits,
  type PendingCollections,
} from '../library/edit-port.ts';
import type { Mirrors } from '../mirror/mirrors.ts';
import type { AppliedEdits } from './apply-edits.ts';
import type { EditCommands } from './commands/edit-commands.ts';
import { type EditJournal, keyOfEntity } from './journal/edit-journal.ts';
import { isCreation } from './journal/edit-row.ts';
import type { NewEdit } from './journal/edit-store.ts';
import { effectiveOf, withValues } from './journal/effective-items.ts';

export interface LibraryEditTools {
  journal: EditJournal;
  commands: EditCommands;
  applied: AppliedEdits;
  deletions: DeletionProgress;
  mirrors: Mirrors;
  clientFor(siteId: string): SiteClient;
}

/** The number of items that are kept with the values that the user saw last. */
const MOST_SEEN = 500;

/** The edits of items and collections for the library's calls, with the values that the user saw last. */
export class EditsOfLibrary implements LibraryEdits {
  readonly deletions: DeletionProgress;
  readonly #tools: LibraryEditTools;
  readonly #seen = new Map<string, MediaItem>();
  readonly #pending = new Map<string, PendingCollections>();
  #revision = 0;

  constructor(tools: LibraryEditTools) {
    this.#tools = tools;
    this.deletions = tools.deletions;
  }

  apply(request: Parameters<LibraryEdits['apply']>[0]): Promise<Applied> {
    return this.#tools.applied.apply(request);
  }

  async createCollection(siteId: string, parentId: string, values: CollectionValues) {
    const { journal } = this.#tools;
    const op = { kind: 'create-collection', v: 1, parentId: journal.idOf(parentId), values } as const;
    const edit = collectionIntents(journal.newLocalId(), String(values.display_name ?? ''), [op]);
    return this.#applyOne(siteId, { collection: 'create' }, edit);
  }

  async editItem(
    siteId: string,
    mediaId: string,
    change: ItemChange,
    expected: Partial<EditableMedia> = {},
  ): Promise<ItemEditResult> {
    const { journal, commands, clientFor } = this.#tools;
    const client = clientFor(siteId);
    const truth = await this.#base(client, siteId, mediaId, change);
    if (truth === null) return { kind: 'done', item: null, reason: null };
    // Before the values that the user sees are known: an earlier deletion that asks is one of them.
    if (change.delete === true) commands.dropBlocked(siteId, [mediaId]);
    const effective = effectiveOf(journal, siteId, truth);
    // A deletion of the item is pending since an earlier request, perhaps before a crash.
    if (effective === null && change.delete === true) return { kind: 'pending', item: truth, reason: null };
    if (effective === null) throw appError('api.not-found', { details: { mediaId } });
    const { ops, problem } = planItem({ ...effective, ...expected }, change, editableOf(truth));
    if (problem !== null) throw appError(`edit.${problem}`);
    if (ops.length === 0) return { kind: 'done', item: await getMedia(client, mediaId), reason: null };
    const edit = { entityId: mediaId, name: effective.title, ops: ops.map((op) => ({ op, outcome: null })) };
    const { kind, error } = await this.#applyOne(siteId, change, edit);
    const item = this.#seen.get(keyOfEntity(siteId, mediaId)) ?? null;
    if (kind === 'pending') return { kind, item, reason: error };
    if (error !== null) throw errorFrom(error);
    return { kind: 'done', item: change.delete === true ? null : item, reason: null };
  }

  noteSeen(siteId: string, item: MediaItem): void {
    const key = keyOfEntity(siteId, item.id);
    this.#seen.delete(key);
    this.#seen.set(key, item);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** Notes that the user's edits of an item were sent: the own values are known, those of other users are not. */
  noteWritten(siteId: string, mediaId: string, change: (values: EditableMedia) => EditableMedia): void {
    const key = keyOfEntity(siteId, mediaId);
    const known = this.#seen.get(key);
    if (known !== undefined) this.#seen.set(key, withValues(known, change(editableOf(known))));
  }

  forget(siteId: string, mediaId: string): void {
    this.#seen.delete(keyOfEntity(siteId, mediaId));
  }

  /** Forgets the values of an account, which must never be the base of another account's edits. */
  forgetSite(siteId: string): void {
    for (const key of this.#seen.keys()) if (key.startsWith(`${siteId} `)) this.#seen.delete(key);
  }

  needsOf(siteId: string, mediaId: string): 'decision' | 'retry' | null {
    const { journal } = this.#tools;
    if (journal.openEntity(siteId, mediaId)?.isBlocked !== true) return null;
    return journal.store.openOf(siteId, mediaId)[0]?.state === 'refused' ? 'retry' : 'decision';
  }

  effective(siteId: string, item: MediaItem): { item: MediaItem | null; isPending: boolean } {
    const { journal } = this.#tools;
    if (journal.openEntity(siteId, item.id) === null) return { item, isPending: false };
    const values = effectiveOf(journal, siteId, item);
    return { item: values === null ? null : withValues(item, values), isPending: true };
  }

  idOf(collectionId: string): string {
    return this.#tools.journal.idOf(collectionId);
  }

  pendingOf(siteId: string): PendingCollections {
    const known = this.#pending.get(siteId);
    if (known !== undefined) return known;
    const opsOf = new Map<string, CollectionOp[]>();
    const asking = new Set<string>();
    for (const { entityId, ops, state } of this.#tools.journal.store.openOfCollections(siteId)) {
      const open = (ops ?? []).flatMap(({ op, outcome }) => (outcome === null && isCollectionOp(op) ? [op] : []));
      const earlier = opsOf.get(entityId) ?? [];
      // A creation comes first, as in `openOf`.
      opsOf.set(entityId, isCreation(ops) ? [...open, ...earlier] : [...earlier, ...open]);
      if (state !== 'pending') asking.add(entityId);
    }
    this.#revision += 1;
    const pending = { revision: this.#revision, opsOf, asking };
    this.#pending.set(siteId, pending);
    return pending;
  }

  /** The open edits of collections of a library changed. */
  noteCollectionChange(siteId: string): void {
    this.#pending.delete(siteId);
  }

  async #applyOne(siteId: string, change: GroupChange, edit: NewEdit): Promise<EditResult & { groupId: string }> {
    const { groupId, results } = await this.#tools.applied.apply({ siteId, change, edits: [edit], wait: true });
    const [result] = results;
    if (result === undefined) throw appError('internal', { details: { reason: 'an edit ended without a result' } });
    return { ...result, groupId };
  }

  /**
   * Returns the values that the user saw last; otherwise the local copy; otherwise the library's present values. null: the item
   * to delete does not exist.
   */
  async #base(client: SiteClient, siteId: string, mediaId: string, change: ItemChange): Promise<MediaItem | null> {
    const known =
      this.#seen.get(keyOfEntity(siteId, mediaId)) ?? this.#tools.mirrors.items(siteId, [mediaId]).get(mediaId);
    if (known !== undefined) return known;
    const read = getMedia(client, mediaId);
    return change.delete === true ? existing(read) : read;
  }
}
