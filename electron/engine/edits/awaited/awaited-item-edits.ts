import type { MediaItem } from '../../../../shared/api/media.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import type { ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';
import { planItem } from '../../../../shared/model/edits/bulk-change.ts';
import { type EditableMedia, editableOf } from '../../../../shared/model/edits/edit-ops.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { getMedia } from '../../api/media.ts';
import type { MediaEditResult, MediaEdits } from '../../library/items/media-edit-port.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { EditCommands } from '../commands/edit-commands.ts';
import { type EditJournal, keyOfEntity } from '../journal/edit-journal.ts';
import type { EditRecord } from '../journal/edit-row.ts';
import { effectiveOf, withValues } from '../journal/effective-items.ts';
import type { AwaitedEdits } from './awaited-edits.ts';

export interface ItemEditTools {
  journal: EditJournal;
  commands: EditCommands;
  mirrors: Mirrors;
  clientFor(siteId: string): SiteClient;
}

/** The number of items that are kept with the values that the user saw last. */
const MOST_SEEN = 500;

/** Edits of one item whose caller waits for the result. They are stored and sent like all other edits. */
export class AwaitedItemEdits implements MediaEdits {
  readonly #tools: ItemEditTools;
  readonly #seen = new Map<string, MediaItem>();
  readonly #awaitedEdits: AwaitedEdits;
  readonly #awaited = new Set<string>();

  constructor(tools: ItemEditTools, awaitedEdits: AwaitedEdits) {
    this.#tools = tools;
    this.#awaitedEdits = awaitedEdits;
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

  /** Returns whether a caller waits for an edit of this item. */
  isAwaited(siteId: string, mediaId: string): boolean {
    return this.#awaited.has(keyOfEntity(siteId, mediaId));
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

  async edit(
    siteId: string,
    mediaId: string,
    change: BulkChange,
    expected: Partial<EditableMedia> = {},
  ): Promise<MediaEditResult> {
    const { journal, clientFor } = this.#tools;
    const client = clientFor(siteId);
    const truth = await this.#base(client, siteId, mediaId, change);
    if (truth === null) return { kind: 'done', item: null };
    if (change.delete === true) this.#tools.commands.dropBlocked(siteId, [mediaId]);
    const effective = effectiveOf(journal, siteId, truth);
    // A deletion of the item is pending since an earlier request, perhaps before a crash.
    if (effective === null && change.delete === true) return { kind: 'pending', item: truth, reason: null };
    if (effective === null) throw appError('api.not-found', { details: { mediaId } });
    const { ops, problem } = planItem({ ...effective, ...expected }, change, editableOf(truth));
    if (problem !== null) throw appError(`edit.${problem}`);
    if (ops.length === 0) return { kind: 'done', item: await getMedia(client, mediaId) };
    const edits = [{ entityId: mediaId, name: effective.title, ops: ops.map((op) => ({ op, outcome: null })) }];
    const key = keyOfEntity(siteId, mediaId);
    this.#awaited.add(key);
    try {
      const { records } = await this.#awaitedEdits.add({ siteId, label: '', change, undoes: null, edits });
      return this.#resultOf(records[0] as EditRecord);
    } finally {
      this.#awaited.delete(key);
    }
  }

  /**
   * Returns the values that the user saw last; otherwise the local copy; otherwise the library's present values. null: the item
   * to delete does not exist.
   */
  async #base(client: SiteClient, siteId: string, mediaId: string, change: BulkChange): Promise<MediaItem | null> {
    const known =
      this.#seen.get(keyOfEntity(siteId, mediaId)) ?? this.#tools.mirrors.items(siteId, [mediaId]).get(mediaId);
    if (known !== undefined) return known;
    try {
      return await getMedia(client, mediaId);
    } catch (error) {
      if (change.delete === true && error instanceof AppError && error.code === 'api.not-found') return null;
      throw error;
    }
  }

  #resultOf(record: EditRecord): MediaEditResult {
    const { siteId, entityId, state, error } = record;
    const item = this.#seen.get(keyOfEntity(siteId, entityId)) ?? null;
    if (state === 'done') return { kind: 'done', item: isDeletion(record) ? null : item };
    // The user dropped or undid the edit in another view.
    if (state === 'dropped' && error === null) return { kind: 'done', item };
    if (state === 'pending') return { kind: 'pending', item, reason: error ?? this.#awaitedEdits.reasonOf(record) };
    this.#tools.commands.drop({ ids: [String(record.seq)] });
    throw this.#errorOf(record);
  }

  #errorOf({ error, ops, entityId }: EditRecord): AppError {
    if (error === null) return appError('internal', { details: { reason: 'an edit ended without a result' } });
    if (error.code === 'edit.item-gone') return appError('api.not-found', { details: { mediaId: entityId } });
    const theirs = (ops ?? []).flatMap((stored) =>
      stored.asks ? [{ kind: stored.op.kind, theirs: stored.theirs }] : [],
    );
    const details = theirs.length === 0 ? error.details : { ...error.details, theirs };
    return new AppError(error.code as ErrorCode, error.message, details);
  }
}

function isDeletion({ ops }: EditRecord): boolean {
  return (ops ?? []).some(({ op }) => op.kind === 'delete');
}
