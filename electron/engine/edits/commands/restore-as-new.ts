import { creationOf } from '../../../../shared/api/media.ts';
import { PODCAST_FIELDS } from '../../../../shared/api/podcast-fields.ts';
import { appError, errorFrom } from '../../../../shared/contract/app-error.ts';
import { itemFieldsOf, noItemFields } from '../../../../shared/item/fields.ts';
import { foldCollection } from '../../../../shared/model/edits/collection-fold.ts';
import {
  type AnyOp,
  type CollectionOp,
  type CollectionValues,
  isCollectionOp,
} from '../../../../shared/model/edits/collection-ops.ts';
import { type EditableMedia, type EditOp, editableOf } from '../../../../shared/model/edits/edit-ops.ts';
import { fold } from '../../../../shared/model/edits/fold.ts';
import { isRestorable } from '../../../../shared/model/edits/restorable.ts';
import { existing } from '../../api/existing.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { getMedia, updateMedia } from '../../api/media.ts';
import { collectionIntents, type LibraryEdits } from '../../library/edit-port.ts';
import { createItemOnce, type ItemAttempt } from '../../library/items/create-item-once.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EditJournal } from '../journal/edit-journal.ts';
import type { EditRecord, StoredOp } from '../journal/edit-row.ts';
import type { EditCommands } from './edit-commands.ts';

/** Items that uploads of this computer created, or may have created. */
export interface UploadedItems {
  /** Whether an upload of the library created an item. */
  ownsMedia(siteId: string, mediaId: string): boolean;
  /** Unfinished uploads into this collection that may already have created their item. */
  openCreations(siteId: string, collectionId: string): readonly { title: string }[];
}

export interface RestoreTools {
  journal: EditJournal;
  uploads: UploadedItems;
  clock: Clock;
  restorations: Restorations;
  commands: EditCommands;
  mirrors: Pick<Mirrors, 'items'>;
  ofLibrary: Pick<LibraryEdits, 'createCollection' | 'apply'>;
  clientFor(siteId: string): SiteClient;
  onChanged(siteId: string, entityId: string | null): void;
}

/** The restorations of this process, by the row of the edit. */
export class Restorations {
  readonly running = new Set<number>();
  /** When the last request ended without an answer, on the monotonic clock. */
  readonly lostAt = new Map<number, number>();
}

export interface Restored {
  id: string;
  name: string;
  /** The library does not have it yet: it is created later. */
  isPending: boolean;
}

/** The user’s request to create a deleted item or collection again, see `edits.restoreAsNew`. */
export interface Restoration {
  rowId: string;
  /** Where it is created. */
  collectionId: string;
  /** The answer to `edit.item-unclear`; undefined: the user has not answered. */
  created?: string | null | undefined;
}

/**
 * Creates an item or collection again that someone else deleted, with the values of this computer's copy and the edits applied,
 * and drops these edits. It has no files, and an item is a draft. Throws `edit.cant-restore`, and the error of the library; the
 * edits stay then. A repetition after an unclear result, or after a crash, finds the created item, or asks the user which one it
 * is.
 */
export async function restoreAsNew(asked: Restoration, tools: RestoreTools): Promise<Restored> {
  const { journal, commands, restorations } = tools;
  const record = /^\d{1,15}$/.test(asked.rowId) ? journal.store.get(Number(asked.rowId)) : null;
  if (record === null || !isRestorable(record) || restorations.running.has(record.seq))
    throw appError('edit.cant-restore');
  const { siteId, entityId, entityKind } = record;
  const open = journal.store.openOf(siteId, entityId, entityKind);
  const ops = open.flatMap((each) => (each.ops ?? []).flatMap(({ op, outcome }) => (outcome === null ? [op] : [])));
  restorations.running.add(record.seq);
  try {
    const restored =
      entityKind === 'media'
        ? await restoreItem(record, ops, { ...asked, collectionId: journal.idOf(asked.collectionId) }, tools)
        : await restoreCollection(record, ops, asked.collectionId, tools);
    commands.drop(open.map(({ seq }) => String(seq)));
    await journal.store.whenDurable();
    tools.onChanged(siteId, entityKind === 'media' ? restored.id : null);
    return restored;
  } finally {
    restorations.running.delete(record.seq);
  }
}

async function restoreItem(
  record: EditRecord,
  ops: readonly AnyOp[],
  { collectionId, created }: Restoration,
  tools: RestoreTools,
): Promise<Restored> {
  const { siteId, entityId, name, ops: stored } = record;
  const { mirrors, clientFor } = tools;
  const known = mirrors.items(siteId, [entityId]).get(entityId);
  const state = fold(known === undefined ? blankItem(name) : editableOf(known), ops.filter(isItemOp));
  if (state === null) throw appError('edit.cant-restore');
  const title = state.title.trim() === '' ? name : state.title;
  const client = clientFor(siteId);
  const input = creationOf({ ...itemFieldsOf(state), title }, collectionId);
  const earlier = await createdEarlier(client, stored);
  const made = earlier ?? (await createItemOnce(client, input, { ...attemptOf(record, tools), answer: created }));
  if (earlier === null) await noteCreated(tools, record.seq, made.id);
  // An earlier attempt created the item, and the user chose another collection since.
  if (!made.isChosen && made.createdIn !== collectionId)
    await updateMedia(client, made.id, { collection_id: collectionId });
  return { id: made.id, name: title, isPending: false };
}

/** The item that an interrupted restoration created; null when there is none, or when it was deleted since. */
async function createdEarlier(client: SiteClient, stored: EditRecord['ops']) {
  const id = stored?.[0]?.restoredAs;
  if (id === undefined) return null;
  const item = await existing(getMedia(client, id));
  return item === null ? null : { id, createdIn: item.collection_id, isChosen: false };
}

/** Returns the attempt of a restoration. The row that is restored stores its attempts until it is dropped. */
function attemptOf(
  { seq, siteId, ops }: EditRecord,
  { journal, uploads, clock, restorations: { lostAt } }: RestoreTools,
): Omit<ItemAttempt, 'answer'> {
  const { store } = journal;
  return {
    earlier: ops?.[0]?.sentItems ?? [],
    store(sentItems) {
      const before = store.get(seq);
      if (before?.ops == null) throw appError('edit.cant-restore');
      journal.record([{ before, after: { ...before, ops: withFirst(before.ops, { sentItems }) } }]);
      return store.whenDurable();
    },
    onLost: () => lostAt.set(seq, clock.monotonic()),
    lostForMs() {
      const at = lostAt.get(seq);
      return at === undefined ? null : clock.monotonic() - at;
    },
    isOfAnother: (id) => uploads.ownsMedia(siteId, id) || store.hasCreated(siteId, id, 'media'),
    rivalsIn: (collectionId) => [
      ...uploads.openCreations(siteId, collectionId).map(({ title }) => title),
      ...store
        .restoring(siteId)
        .filter((each) => each.seq !== seq)
        .flatMap((each) => each.ops?.[0]?.sentItems ?? [])
        .flatMap((sent) => (sent.collectionId === collectionId ? [sent.title] : [])),
    ],
  };
}

/** Notes the id of the created item. Only this row may use the item after that. */
async function noteCreated({ journal }: RestoreTools, seq: number, restoredAs: string): Promise<void> {
  const { store } = journal;
  const before = store.get(seq);
  if (before?.ops == null) throw appError('edit.cant-restore');
  const after = { ...before, ops: withFirst(before.ops, { restoredAs }) };
  journal.record([{ before, after }], { restored: { seq, siteId: before.siteId, serverId: restoredAs } });
  await store.whenDurable();
}

/** The state of a restoration is in the first op of its record, see `StoredOp`. */
function withFirst(ops: readonly StoredOp[], fields: Partial<StoredOp>): StoredOp[] {
  return ops.map((stored, index) => (index === 0 ? { ...stored, ...fields } : stored));
}

async function restoreCollection(
  { siteId, entityId, name }: EditRecord,
  ops: readonly AnyOp[],
  parentId: string,
  { ofLibrary }: RestoreTools,
): Promise<Restored> {
  const start = { id: entityId, parentId: null, values: { display_name: name } };
  const values: CollectionValues = foldCollection(start, ops.filter(isCollectionOp))?.values ?? {};
  const podcast = PODCAST_FIELDS.filter((field) => values[field] !== undefined);
  const own = Object.entries(values).filter(([field]) => !podcast.some((each) => each === field));
  const isPodcast = podcast.length > 0 ? { is_podcast: true } : {};
  const created = await ofLibrary.createCollection(siteId, parentId, { ...Object.fromEntries(own), ...isPodcast });
  const { entityId: id, kind, error } = created;
  // The user undid or dropped the creation before it was sent.
  if (kind === 'stopped') throw appError('edit.cant-restore');
  if (kind === 'failed') throw error === null ? appError('internal') : errorFrom(error);
  const newName = String(values.display_name ?? name);
  // The details of a podcast are a request of their own, also for a new collection.
  if (podcast.length > 0) {
    const details = podcast.map((field): CollectionOp => {
      return { kind: 'set-podcast-field', v: 1, field, base: null, mine: values[field] ?? null };
    });
    const edits = [collectionIntents(id, newName, details)];
    await ofLibrary.apply({ siteId, change: { collection: 'podcast' }, edits, wait: true });
  }
  return { id, name: newName, isPending: kind === 'pending' };
}

function isItemOp(op: AnyOp): op is EditOp {
  return !isCollectionOp(op);
}

function blankItem(title: string): EditableMedia {
  return { ...noItemFields(), title, id: '', collectionId: '', status: 'draft', publishOn: null };
}
