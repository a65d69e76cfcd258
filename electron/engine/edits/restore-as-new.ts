import { PODCAST_FIELDS } from '../../../shared/api/podcast-fields.ts';
import { AppError, type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/error-catalog.ts';
import { foldCollection } from '../../../shared/model/edits/collection-fold.ts';
import {
  type AnyOp,
  type CollectionOp,
  type CollectionValues,
  isCollectionOp,
} from '../../../shared/model/edits/collection-ops.ts';
import { type EditableMedia, type EditOp, editableOf } from '../../../shared/model/edits/edit-ops.ts';
import { fold } from '../../../shared/model/edits/fold.ts';
import type { SiteClient } from '../api/http-client.ts';
import { updateMedia } from '../api/media.ts';
import type { CollectionEdits } from '../library/collection-edits.ts';
import { createItemOnce, type SentItem } from '../library/create-item-once.ts';
import type { LibraryMirror } from '../mirror/library-mirror.ts';
import type { EditCommands } from './edit-commands.ts';
import type { EditJournal } from './edit-journal.ts';
import type { EditRecord } from './edit-row.ts';

export interface RestoreTools {
  journal: EditJournal;
  commands: EditCommands;
  mirror: Pick<LibraryMirror, 'items'>;
  collections: Pick<CollectionEdits, 'create' | 'change'>;
  clientFor(siteId: string): SiteClient;
  onChanged(siteId: string, entityId: string | null): void;
}

export interface Restored {
  id: string;
  name: string;
  /** The library does not have it yet: it is created later. */
  isPending: boolean;
}

const GONE: ReadonlySet<string> = new Set(['edit.item-gone', 'edit.collection-gone']);

/**
 * Creates what someone else deleted again, with the values that this computer knows and the edits on top, and drops these
 * edits. Files don't come back, and an item is a draft. `collectionId`: where it is created. Throws `edit.cant-restore`,
 * and the error of the library; the edits stay then. A repetition after an unclear result, or after a crash, finds the item
 * that was created.
 */
export async function restoreAsNew(
  { rowId, collectionId }: { rowId: string; collectionId: string },
  tools: RestoreTools,
): Promise<Restored> {
  const { journal, commands } = tools;
  const record = /^\d{1,15}$/.test(rowId) ? journal.store.get(Number(rowId)) : null;
  if (record?.state !== 'refused' || !GONE.has(record.error?.code ?? '')) throw appError('edit.cant-restore');
  const { siteId, entityId, entityKind } = record;
  const open = journal.store.openOf(siteId, entityId, entityKind);
  const ops = open.flatMap((each) => (each.ops ?? []).flatMap(({ op, outcome }) => (outcome === null ? [op] : [])));
  const restored =
    entityKind === 'media'
      ? await restoreItem(record, ops, journal.idOf(collectionId), tools)
      : await restoreCollection(record, ops, collectionId, tools);
  commands.drop({ ids: open.map(({ seq }) => String(seq)) });
  await journal.store.whenDurable();
  tools.onChanged(siteId, entityKind === 'media' ? restored.id : null);
  return restored;
}

async function restoreItem(
  { seq, siteId, entityId, name, ops: stored }: EditRecord,
  ops: readonly AnyOp[],
  collectionId: string,
  tools: RestoreTools,
): Promise<Restored> {
  const { mirror, clientFor } = tools;
  const known = mirror.items(siteId, [entityId]).get(entityId);
  const state = fold(known === undefined ? blankItem(name) : editableOf(known), ops.filter(isItemOp));
  if (state === null) throw appError('edit.cant-restore');
  const { byline, description, tags } = state;
  const title = state.title.trim() === '' ? name : state.title;
  const client = clientFor(siteId);
  const input = {
    ...{ title, collection_id: collectionId },
    ...(byline === '' ? {} : { byline }),
    ...(description === '' ? {} : { description }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
  };
  const { id, createdIn } = await createItemOnce(client, input, {
    earlier: stored?.[0]?.sentItems ?? [],
    onSending: (sent) => noted(tools, seq, sent),
    onNotCreated: (earlier) => noted(tools, seq, earlier),
  });
  // An earlier attempt created it, and the user chose another collection since.
  if (createdIn !== collectionId) await updateMedia(client, id, { collection_id: collectionId });
  return { id, name: title, isPending: false };
}

/** Adds the attempts to create the item to the journal: the row that is restored names them until it is dropped. */
function noted({ journal }: RestoreTools, seq: number, sentItems: readonly SentItem[]): Promise<void> {
  const before = journal.store.get(seq);
  if (before?.ops == null) throw appError('edit.cant-restore');
  const ops = before.ops.map((stored, index) => (index === 0 ? { ...stored, sentItems } : stored));
  journal.record([{ before, after: { ...before, ops } }]);
  return journal.store.whenDurable();
}

async function restoreCollection(
  { siteId, entityId, name }: EditRecord,
  ops: readonly AnyOp[],
  parentId: string,
  { collections }: RestoreTools,
): Promise<Restored> {
  const start = { id: entityId, parentId: null, values: { display_name: name } };
  const values: CollectionValues = foldCollection(start, ops.filter(isCollectionOp))?.values ?? {};
  const podcast = PODCAST_FIELDS.filter((field) => values[field] !== undefined);
  const own = Object.entries(values).filter(([field]) => !podcast.some((each) => each === field));
  const isPodcast = podcast.length > 0 ? { is_podcast: true } : {};
  const created = await collections.create(siteId, parentId, { ...Object.fromEntries(own), ...isPodcast });
  const { collectionId, kind } = created;
  if (kind === 'failed' || kind === 'stopped') throw errorOf(created.error);
  const newName = String(values.display_name ?? name);
  // The details of a podcast are a request of their own, also for a new collection.
  if (podcast.length > 0) {
    const details = podcast.map((field): CollectionOp => {
      return { kind: 'set-podcast-field', v: 1, field, base: null, mine: values[field] ?? null };
    });
    await collections.change(siteId, 'podcast', [{ collectionId, name: newName, ops: details }]);
  }
  return { id: collectionId, name: newName, isPending: kind === 'pending' };
}

function errorOf(error: AppErrorData | null): AppError {
  if (error === null) return appError('internal', { details: { reason: 'a creation ended without a result' } });
  return new AppError(error.code as ErrorCode, error.message, error.details);
}

function isItemOp(op: AnyOp): op is EditOp {
  return !isCollectionOp(op);
}

function blankItem(title: string): EditableMedia {
  return { id: '', title, byline: '', description: '', tags: [], collectionId: '', status: 'draft', publishOn: null };
}
