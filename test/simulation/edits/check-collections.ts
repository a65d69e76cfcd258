import { type EditRecord, isCreation, type StoredOp } from '../../../electron/engine/edits/journal/edit-row.ts';
import { PODCAST_FIELDS } from '../../../shared/api/podcast-fields.ts';
import { canonicalCollectionValue, keyOfAnyOp } from '../../../shared/model/edits/collection-fold.ts';
import {
  type CollectionOp,
  isCollectionOp,
  isLocalId,
  localIdsOf,
} from '../../../shared/model/edits/collection-ops.ts';
import { isBehindUndo } from './behind-undo.ts';
import { effectsOn, isTakenForCreated, noCollectionIsMadeTwice, wasHidden } from './check-creations.ts';
import { nothingIsDeletedUnconfirmed } from './check-deletions.ts';
import type { CollectionEffectFact, EditHistory, FinalAccount } from './edit-history.ts';
import { isFromOlderForm } from './older-form.ts';
import { decidesLater, hasOp, isGivenUp, isPerhapsOwn, type PlacedOp, placedOps } from './placed-ops.ts';

type Rule = (history: EditHistory) => string[];

/** The rules for edits of collections, which hold in every run. */
export const COLLECTION_RULES: Readonly<Record<string, Rule>> = {
  noCollectionIsMadeTwice,
  endedCollectionIntentsTellTheTruth,
  noUnseenCollectionIsOverwritten,
  nothingIsDeletedUnconfirmed,
  collectionQuestionsHaveAReason,
  mirrorsHaveTheCollections,
  undoneCreationsAreDeleted,
  redoneCreationsAreMadeAgain,
  neededCollectionsAreAwaited,
};

const opsOf = (accounts: readonly FinalAccount[]) => placedOps(accounts, isCollectionOp);

function isSameValue(history: EditHistory, field: string, one: string, other: string): boolean {
  const form = (value: string) => {
    const canonical = canonicalCollectionValue(field, value);
    return history.scenario.service.rewrites === 'html' ? canonical.replace(/<\/?(?:b|strong)>/g, '') : canonical;
  };
  return form(one) === form(other);
}

/** Returns the field of the effects that an op changes, and the value after the op. */
function wantedOf(op: CollectionOp): { field: string; value: string } {
  if (op.kind === 'move-to-parent') return { field: 'parent', value: op.mine };
  if (op.kind === 'delete-collection') return { field: 'item', value: 'no' };
  if (op.kind === 'create-collection') return { field: 'item', value: '' };
  return { field: op.field, value: String(op.mine ?? '') };
}

/** The outcome of each op is true: the library had the value of a `sent` op; `superseded` and `dropped` have a reason. */
function endedCollectionIntentsTellTheTruth(history: EditHistory): string[] {
  const all = opsOf(history.final.accounts);
  return all.flatMap((placed) => {
    const { account, record, stored, op } = placed;
    const { field, value } = wantedOf(op);
    const { site } = account;
    const what = `${site}: ${op.kind} of record ${record.seq}, collection ${record.entityId}, is ${stored.outcome}`;
    const effects = effectsOn(history, account, record.entityId, field);
    switch (stored.outcome) {
      case 'sent': {
        const isThere = effects.some((effect) => {
          const { by, before, after } = effect;
          return op.kind === 'create-collection'
            ? before === 'no' && (by === site || isTakenForCreated(history, effect, site))
            : isSameValue(history, field, after, value) || isSameValue(history, field, before, value);
        });
        return isThere || goesBack(history, all, placed) ? [] : [`${what}, but the library never had it`];
      }
      case 'superseded': {
        const key = keyOfAnyOp(op);
        const hasOther = all.some(
          (each) =>
            each !== placed &&
            each.account === account &&
            each.record.entityId === record.entityId &&
            (keyOfAnyOp(each.op) === key ||
              (each.op.kind === 'delete-collection' && !isGivenUp(each.stored)) ||
              each.op.kind === 'create-collection'),
        );
        return hasOther ? [] : [`${what}, but nothing took its place`];
      }
      case 'dropped':
      case 'theirs': {
        // The deletion of a collection drops what is to be created anywhere below it. The person confirmed a count that
        // contains this, but the list from which the collection was picked can be older than an edit being stored: so all
        // parents count.
        const subjects = [...withParents(history, account, all, record.entityId)].map((id) => `collection ${id}`);
        const isDecided = history.decisions.some(
          (each) =>
            each.site === site &&
            each.choice !== 'retry' &&
            (each.seq === record.seq ||
              (decidesLater(each, record.seq) && subjects.includes(serverSubject(account, each.itemId))) ||
              (each.seq === -1 && subjects.includes(serverSubject(account, each.itemId)))),
        );
        // An edit that is refused or meets a conflict while its caller waits is dropped: the caller gets the error.
        const isSingle =
          account.groups.find(({ seq }) => seq === record.groupSeq)?.items === 1 && record.error !== null;
        return isDecided || isSingle ? [] : [`${what}, but the person decided nothing`];
      }
      default:
        return [];
    }
  });
}

/** Returns the ids of a collection and of all collections that it was in at any time, or in which edits of its account put it. */
function withParents(
  { collectionEffects }: EditHistory,
  account: FinalAccount,
  all: readonly PlacedOp<CollectionOp>[],
  id: string,
): ReadonlySet<string> {
  const idOf = (local: string) => account.serverIds[local] ?? local;
  const own = all.filter((each) => each.account === account);
  const found = new Set([idOf(id)]);
  // The loop also visits the ids that are added to the set during it.
  for (const child of found) {
    for (const each of collectionEffects) if (each.id === child && each.field === 'parent') found.add(each.after);
    for (const { record, op } of own) {
      if (idOf(record.entityId) !== child) continue;
      if (op.kind === 'create-collection') found.add(idOf(op.parentId));
      if (op.kind === 'move-to-parent') found.add(idOf(op.mine));
    }
  }
  return found;
}

/**
 * Whether an op only takes back an earlier op of the same account whose request may not have been received: then the library
 * never changed, and had the value of this op all the time.
 */
function goesBack(
  history: EditHistory,
  all: readonly PlacedOp<CollectionOp>[],
  placed: PlacedOp<CollectionOp>,
): boolean {
  const { account, record, op } = placed;
  const { field, value } = wantedOf(op);
  return all.some(
    (each) =>
      each.account === account &&
      each.record.entityId === record.entityId &&
      each.record.seq < record.seq &&
      each.record.sentAt !== null &&
      each.stored.outcome === 'superseded' &&
      'mine' in each.op &&
      keyOfAnyOp(each.op) === keyOfAnyOp(op) &&
      isSameValue(history, field, String(each.op.base ?? ''), value),
  );
}

function serverSubject({ serverIds }: FinalAccount, subject: string): string {
  const id = subject.replace(/^collection /, '');
  return `collection ${serverIds[id] ?? id}`;
}

/** A program overwrites a value of a collection only after its person has seen that value. */
function noUnseenCollectionIsOverwritten(history: EditHistory): string[] {
  return history.collectionEffects.flatMap((effect, index) => {
    const { atMs, by, id, field, known, library, before } = effect;
    const replaced = known?.[field];
    const account = history.final.accounts.find(({ site }) => site === by);
    if (replaced === undefined || account === undefined) return [];
    const idOf = (local: string) => account.serverIds[local] ?? local;
    const isValue = (value: string) => isSameValue(history, field, idOf(value), replaced);
    const hasSeen = history.seenCollections.some(
      (each) =>
        each.site === by && idOf(each.id) === id && each.field === field && each.atMs <= atMs && isValue(each.value),
    );
    const isOwn = history.collectionEffects
      .slice(0, index)
      .some(
        (each) =>
          each.library === library && each.by === by && each.id === id && each.field === field && isValue(each.after),
      );
    return hasSeen || isOwn || isTakenForOwn(history, account, effect, isValue)
      ? []
      : [`at ${atMs}: ${by} overwrote ${field} of collection ${id}: “${before}”, which its person had not seen`];
  });
}

/** Whether a program could not know that someone else wrote a value, because it had sent the same value itself. */
function isTakenForOwn(
  history: EditHistory,
  account: FinalAccount,
  { id, field, atMs }: CollectionEffectFact,
  isValue: (value: string) => boolean,
): boolean {
  const isWanted = opsOf([account]).some(({ record, stored, op }) => {
    const wanted = wantedOf(op);
    return record.entityId === id && isPerhapsOwn(stored) && wanted.field === field && isValue(wanted.value);
  });
  const isRequest = (path: string) => `${path}/`.startsWith(`/api2/collections/${id}/`);
  return (
    isWanted &&
    history.requests.some(
      (each) => each.site === account.site && each.method === 'POST' && each.fromMs < atMs && isRequest(each.path),
    )
  );
}

/** An edit of a collection asks about a value only when someone else changed it, and once for each change. */
function collectionQuestionsHaveAReason(history: EditHistory): string[] {
  const asked = new Map<string, number>();
  return history.decisions.flatMap(({ atMs, site, seq, itemId, field, choice }) => {
    const account = history.final.accounts.find((each) => each.site === site);
    if (account === undefined || !itemId.startsWith('collection ') || seq < 0) return [];
    if (field === '*' || field === 'item' || choice === 'drop' || isRedo(account, seq)) return [];
    if (isBehindUndo(account, seq, field)) return [];
    const [, id = ''] = serverSubject(account, itemId).split(' ');
    const theirs = effectsOn(history, account, id, field).filter((each) => each.by !== site && each.atMs <= atMs);
    const key = JSON.stringify([site, seq, field]);
    const count = (asked.get(key) ?? 0) + (choice === 'theirs' ? 0 : 1);
    asked.set(key, count);
    const isUnseen =
      field === 'slug'
        ? isUnseenSlug(history, account, { id, seq, atMs })
        : isKeptDetail(history, account, { id, field, untilMs: atMs });
    const changes = theirs.length + (isUnseen || isFromOlderForm(history, account, { id, field, seq }) ? 1 : 0);
    return changes >= Math.max(1, count)
      ? []
      : [
          `${site}: record ${seq} asked ${count} times about ${field} of collection ${id}, which others changed ${theirs.length} times`,
        ];
  });
}

/**
 * Whether the library made the slug of a collection that an account created, and its person had not seen that slug: the reply to
 * the creation was lost, and the person entered a slug before the program found the collection. The program has to ask then,
 * because the slug in the library could be someone else's choice.
 */
function isUnseenSlug(
  { seenCollections, collectionEffects }: EditHistory,
  { site, library, serverIds, records }: FinalAccount,
  { id, seq, atMs }: { id: string; seq: number; atMs: number },
): boolean {
  const isGiven = records.some(
    ({ entityId, ops }) =>
      entityId === id && (ops ?? []).some(({ op }) => op.kind === 'create-collection' && op.values.slug !== undefined),
  );
  const made = collectionEffects.find(
    (each) => each.library === library && each.id === id && each.field === 'slug' && each.by === site,
  );
  if (isGiven || made?.before !== '') return false;
  // A list can have shown this slug, but as that of another collection: the program had not found its new collection yet.
  const createdAt = records.find((each) => each.seq === seq)?.createdAt ?? 0;
  const creation = records.find(({ entityId, ops }) => entityId === id && isCreation(ops));
  if ((creation?.endedAt ?? 0) > createdAt) return true;
  return !seenCollections.some(
    (each) =>
      each.site === site &&
      (serverIds[each.id] ?? each.id) === id &&
      each.field === 'slug' &&
      each.value === made.after &&
      each.atMs < atMs,
  );
}

/**
 * Whether the library kept a detail from an earlier time when the collection was a podcast. The library shows no details of a
 * collection that is no podcast, so a person who makes it a podcast again and enters the value saw a blank one.
 */
function isKeptDetail(
  history: EditHistory,
  account: FinalAccount,
  { id, field, untilMs }: { id: string; field: string; untilMs: number },
): boolean {
  const written = effectsOn(history, account, id, field).find(({ after }) => after !== '');
  if (written === undefined || !PODCAST_FIELDS.some((each) => each === field)) return false;
  return effectsOn(history, account, id, 'is_podcast').some(
    ({ atMs, after }) => after === 'true' && atMs > written.atMs && atMs <= untilMs,
  );
}

/** Whether a record is part of a redo, which also asks about what its own person changed after the undo. */
export function isRedo({ records, groups }: FinalAccount, seq: number): boolean {
  const group = groups.find((each) => each.seq === records.find((record) => record.seq === seq)?.groupSeq);
  return group !== undefined && groups.some(({ redoneBy }) => redoneBy === group.id);
}

function mirrorsHaveTheCollections({ final }: EditHistory): string[] {
  return final.accounts.flatMap(({ site, mirroredCollections: mirrored, expectedCollections: expected }) =>
    [...new Set([...Object.keys(mirrored), ...Object.keys(expected)])].flatMap((id) =>
      mirrored[id] === expected[id]
        ? []
        : [`${site}: collection ${id} is ${mirrored[id]}, in the library ${expected[id]}`],
    ),
  );
}

const REMOVED: readonly (StoredOp['outcome'] | undefined)[] = ['sent', 'same', 'superseded'];

/** The op by which the undo of a group deletes a collection that the group created. */
function undoOfCreation({ account, record }: PlacedOp<CollectionOp>): StoredOp | undefined {
  const group = account.groups.find(({ seq }) => seq === record.groupSeq);
  const undos = account.groups.filter(({ undoes }) => undoes === group?.id).map(({ seq }) => seq);
  return account.records
    .filter(({ groupSeq, entityId }) => undos.includes(groupSeq) && entityId === record.entityId)
    .flatMap(({ ops }) => ops ?? [])
    .findLast(({ op }) => op.kind === 'delete-collection');
}

/** After the undo of a creation, the collection is gone, unless the outcome of the undo tells that it is not. */
function undoneCreationsAreDeleted(history: EditHistory): string[] {
  return opsOf(history.final.accounts).flatMap((placed) => {
    const { account, record, stored, op } = placed;
    const group = account.groups.find(({ seq }) => seq === record.groupSeq);
    if (op.kind !== 'create-collection' || stored.outcome !== 'sent' || group?.undoneAt == null) return [];
    const undo = undoOfCreation(placed);
    if (undo === undefined)
      return [`${account.site}: the undo of record ${record.seq} left collection ${record.entityId}`];
    const exists = account.expectedCollections[record.entityId] !== undefined;
    return exists && REMOVED.includes(undo.outcome) && !wasHidden(history, account, record.entityId)
      ? [
          `${account.site}: the undo of record ${record.seq} is ${undo.outcome}, but collection ${record.entityId} exists`,
        ]
      : [];
  });
}

/** The redo of a creation creates the collection again. */
function redoneCreationsAreMadeAgain(history: EditHistory): string[] {
  const all = opsOf(history.final.accounts);
  return all.flatMap((placed) => {
    const { account, record, stored, op } = placed;
    const group = account.groups.find(({ seq }) => seq === record.groupSeq);
    if (op.kind !== 'create-collection' || group === undefined) return [];
    const wasRemoved =
      (stored.outcome === 'sent' || stored.outcome === 'superseded') &&
      REMOVED.includes(undoOfCreation(placed)?.outcome);
    if (!wasRemoved && stored.isUndone !== true) return [];
    if (group.redoneBy === null) {
      return group.undoneAt === null
        ? [`${account.site}: record ${record.seq} is not undone, but its collection was removed`]
        : [];
    }
    const redo = account.groups.find(({ id }) => id === group.redoneBy);
    const isAgain = all.some(
      (each) => each.account === account && each.record.groupSeq === redo?.seq && each.op.kind === 'create-collection',
    );
    return isAgain ? [] : [`${account.site}: the redo of record ${record.seq} makes no collection`];
  });
}

/** No edit is refused because its collection was never created, when an earlier edit did create it. */
function neededCollectionsAreAwaited({ final }: EditHistory): string[] {
  return final.accounts.flatMap(({ site, records, serverIds }) => {
    // Only a creation that was sent counts, not one that was dropped before a redo created the collection again.
    const hasCreated = ({ ops }: EditRecord) =>
      (ops ?? []).some(({ op, outcome }) => op.kind === 'create-collection' && outcome === 'sent');
    const created = (id: string) => records.find((each) => each.entityId === serverIds[id] && hasCreated(each));
    const refused = records.filter(({ error }) => error?.code === 'edit.collection-not-created');
    // The creation of a collection and its moves are one request: it needs the parent of the last move, which can be missing.
    const needsAnother = ({ seq, entityId }: EditRecord) =>
      refused
        .filter((each) => each.entityId === entityId && each.seq >= seq)
        .some(({ ops }) => (ops ?? []).some(({ op }) => localIdsOf(op).some((id) => created(id) === undefined)));
    return (
      refused
        .filter((each) => !needsAnother(each))
        // Otherwise the edit was refused because its own collection was never created.
        .filter((each) => !isLocalId(each.entityId) || hasOp(each, 'create-collection'))
        .flatMap(({ seq, ops }) => (ops ?? []).flatMap(({ op }) => localIdsOf(op).map((id) => ({ seq, id }))))
        .filter(({ seq, id }) => (created(id)?.seq ?? seq) < seq)
        .map(({ seq, id }) => `${site}: record ${seq} did not wait for collection ${id}, which was created`)
    );
  });
}
