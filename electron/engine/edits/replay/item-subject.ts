import type { MediaItem } from '../../../../shared/api/media.ts';
import type { EditValue } from '../../../../shared/contract/edits.ts';
import { canonicalText } from '../../../../shared/model/edits/canonical.ts';
import {
  type EditableMedia,
  type EditOp,
  editableOf,
  type FileOp,
  isBetween,
} from '../../../../shared/model/edits/edit-ops.ts';
import type { Coalesced } from '../../../../shared/model/edits/fold.ts';
import { changesSince } from '../../../../shared/model/edits/seen-item.ts';
import { fieldValueOf, netVerdictOf, rebased, verdictOf } from '../../../../shared/model/edits/verdicts.ts';
import { existing } from '../../api/existing.ts';
import {
  addTags,
  deleteMedia,
  getMedia,
  publishMedia,
  removeTags,
  unpublishMedia,
  updateMedia,
} from '../../api/media.ts';
import { reasonOfRefusal } from '../../api/refused-right.ts';
import { serviceInstant } from '../../library/items/media-row.ts';
import { publishNow } from '../../library/items/publish-now.ts';
import { withValues } from '../journal/effective-items.ts';
import { sendFileOp } from './file-writes.ts';
import { withWritten } from './record-replay.ts';
import type { Write } from './send-in-order.ts';
import type { ReplayTools, Subject } from './subject.ts';

export interface ItemSubjectTools extends Pick<ReplayTools, 'client' | 'signal' | 'clock'> {
  /** The user of the account; null when the library did not report it. */
  userId: string | null;
}

/** Returns how a replay reads, compares and changes one item. */
export function itemSubject(entityId: string, tools: ItemSubjectTools): Subject<EditOp, MediaItem, EditableMedia> {
  const { client, signal } = tools;
  return {
    goneCode: 'edit.item-gone',
    read: () => existing(getMedia(client, entityId, signal)),
    valuesOf: editableOf,
    verdictOf: (op, theirs) => verdictOf(op, theirs, serverNow(tools)),
    netVerdictOf: (each, theirs) => netVerdictOf(each, theirs, serverNow(tools)),
    valueOf: fieldValueOf,
    canonicalOf,
    intendedOf,
    rebased,
    isOfAnother: (op, { publishOn }) =>
      op.kind === 'publish' && op.between !== undefined && !isBetween(publishOn, op.between),
    changesSince: (op, theirs) =>
      op.kind === 'delete' && op.saw !== undefined ? changesSince(op.saw, theirs) : undefined,
    writesOf: (wanted) => writesOf(entityId, wanted, tools),
    withSent(before, sent) {
      const values = editableOf(before);
      const written = sent.map(({ op }) => ({ op, wrote: intendedOf(op, values) }));
      return withValues(before, written.reduce(withWritten, values));
    },
    reasonOfRefusal: (error, item, ops) =>
      reasonOfRefusal(error, item, actionOf(ops), { ...tools, nowMs: serverNow(tools) }),
  };
}

/** Returns the library's time, by which a publish time has passed or not; until it is known, the time of this computer. */
function serverNow({ client, clock }: ItemSubjectTools): number {
  return client.serverClock.now() ?? clock.now();
}

function canonicalOf(op: EditOp, values: EditableMedia): string {
  if (op.kind === 'set-field') return canonicalText(op.field, values[op.field]);
  return JSON.stringify(fieldValueOf(op, values));
}

function intendedOf(op: EditOp, before: EditableMedia): EditValue {
  if (op.kind === 'set-field' || op.kind === 'move-collection') return op.mine;
  if (op.kind === 'unpublish') return { status: 'draft', publishOn: before.publishOn };
  if (op.kind === 'publish' && typeof op.when === 'object') return { status: 'scheduled', publishOn: op.when.at };
  return fieldValueOf(op, before);
}

/** Returns the action whose permission a refused request needs. */
function actionOf(ops: readonly Coalesced[]): 'edit' | 'publish' | 'delete' {
  const kinds = new Set(ops.map(({ op }) => op.kind));
  if (kinds.has('delete') || kinds.has('delete-file')) return 'delete';
  return kinds.has('publish') || kinds.has('unpublish') ? 'publish' : 'edit';
}

/**
 * Returns the requests, in an order in which none removes the permission for the next: an account that may edit its own items
 * only until they are public sends fields and tags before it publishes.
 */
function writesOf(entityId: string, wanted: readonly Coalesced[], tools: ItemSubjectTools): Write<Coalesced>[] {
  const { client, signal } = tools;
  const of = (...kinds: EditOp['kind'][]) => wanted.filter(({ op }) => kinds.includes(op.kind));
  const deletion = of('delete');
  if (deletion.length > 0) return [{ ops: deletion, send: () => deleteMedia(client, entityId, signal) }];
  const fields = of('set-field', 'move-collection');
  const added = of('add-tag');
  const removed = of('remove-tag');
  const publication = of('publish', 'unpublish');
  // Additions come first: a failure then leaves the old file.
  const files = [...of('add-embed'), ...of('delete-file')].map((each): Write<Coalesced> => {
    return { ops: [each], send: () => sendFileOp(client, entityId, each.op as FileOp, signal) };
  });
  const tagsOf = (ops: readonly Coalesced[]) => ops.flatMap(({ op }) => ('tag' in op ? [op.tag] : []));
  const writes: Write<Coalesced>[] = [
    { ops: fields, send: () => updateMedia(client, entityId, patchOf(fields), signal) },
    { ops: removed, send: () => removeTags(client, entityId, tagsOf(removed), signal) },
    { ops: added, send: () => addTags(client, entityId, tagsOf(added), signal) },
    ...files,
    { ops: publication, send: () => sendPublication(entityId, publication[0]?.op, tools) },
  ];
  return writes.filter(({ ops }) => ops.length > 0);
}

function patchOf(fields: readonly Coalesced[]): Record<string, string> {
  const patch: Record<string, string> = {};
  for (const { op } of fields) {
    if (op.kind === 'set-field') patch[op.field] = op.mine;
    if (op.kind === 'move-collection') patch.collection_id = op.mine;
  }
  return patch;
}

async function sendPublication(entityId: string, op: EditOp | undefined, tools: ItemSubjectTools): Promise<void> {
  const { client, signal } = tools;
  if (op?.kind === 'unpublish') return unpublishMedia(client, entityId, signal);
  if (op?.kind !== 'publish') return;
  if (op.when === 'now') return publishNow(client, entityId, serverNow(tools));
  const options = op.when === 'kept' ? {} : { publish_on: serviceInstant(op.when.at) };
  return publishMedia(client, entityId, options, signal);
}
