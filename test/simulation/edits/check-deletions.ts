import type { EditRecord } from '../../../electron/engine/edits/journal/edit-row.ts';
import { isCollectionOp } from '../../../shared/model/edits/collection-ops.ts';
import type { RequestFact } from '../history.ts';
import type {
  CollectionEffectFact,
  CollectionReadFact,
  EditHistory,
  EffectFact,
  FinalAccount,
} from './edit-history.ts';
import { hasOp, isGivenUp, placedOps } from './placed-ops.ts';

/** Deletions of collections remove only what persons confirmed. */
export function nothingIsDeletedUnconfirmed(history: EditHistory): string[] {
  return history.final.accounts.flatMap((account) => [
    ...unconfirmedItems(history, account),
    ...unconfirmedCollections(history, account),
  ]);
}

const deletionsOf = (account: FinalAccount) =>
  placedOps([account], isCollectionOp).flatMap(({ record, op }) =>
    op.kind === 'delete-collection' ? [{ record, base: op.base }] : [],
  );

/** Compares numbers of items. Not after a question: an answer confirms a new number, without what was deleted before. */
function unconfirmedItems(history: EditHistory, account: FinalAccount): string[] {
  const { site } = account;
  const isAnswer = (each: EditHistory['decisions'][number]) => each.field === 'item' && each.choice === 'mine';
  if (history.decisions.some((each) => each.site === site && isAnswer(each))) return [];
  const most = deletionsOf(account).reduce((sum, { base }) => sum + base.items, 0);
  const items = history.effects.filter((each) => each.by === site && isDeletedWithCollection(history, each)).length;
  return items > most ? [`${site} deleted ${items} items with collections, ${most} were confirmed`] : [];
}

/**
 * Whether a program deleted an item only with its collection: it sent a deletion of a collection, and no deletion of the item
 * itself that its person did not give up.
 */
export function isDeletedWithCollection(history: EditHistory, { atMs, by, itemId, field, after }: EffectFact): boolean {
  if (field !== 'item' || after !== 'no') return false;
  const records = history.final.accounts.find(({ site }) => site === by)?.records ?? [];
  const sent = records.filter(({ sentAt }) => sentAt !== null);
  // A deletion that the person confirmed only after that time did not delete the item.
  const isDecidedLater = ({ seq }: EditRecord) =>
    history.decisions.some(
      (each) => each.site === by && each.seq === seq && each.choice === 'mine' && each.atMs > atMs,
    );
  const isItem = (each: EditRecord) => each.entityKind === 'media' && each.entityId === itemId && !isDecidedLater(each);
  // A deletion without an answer can take effect later, even after the program asked about it and the person gave it up.
  const isRequested = history.requests.some(
    ({ site, method, path, fromMs, result }) =>
      site === by && method === 'DELETE' && path === `/api2/media/${itemId}` && fromMs <= atMs && result === 'given up',
  );
  return (
    !isRequested &&
    sent.some((record) => hasOp(record, 'delete-collection')) &&
    !sent.some((each) => isItem(each) && each.ops?.some((stored) => stored.op.kind === 'delete' && !isGivenUp(stored)))
  );
}

function unconfirmedCollections(history: EditHistory, account: FinalAccount): string[] {
  const { site } = account;
  const removed = history.collectionEffects.filter(
    (each) => each.by === site && each.field === 'item' && each.after === 'no',
  );
  return removed.flatMap((effect, index) => {
    const { atMs, id } = effect;
    // One deletion removes all at once: first the collections below, last the collection itself.
    const deleted = removed.slice(index).find((each) => each.atMs === atMs && requestOf(history, each) !== undefined);
    const request = deleted === undefined ? undefined : requestOf(history, deleted);
    if (deleted === undefined || request === undefined) return [`at ${atMs}: ${site} deleted collection ${id}`];
    const isFine =
      confirmedWith(history, account, deleted.id).has(id) || isUnknowable(history, effect, deleted.id, request);
    return isFine ? [] : [`at ${atMs}: ${site} deleted collection ${id} with ${deleted.id}, which was not confirmed`];
  });
}

/** Returns the request that deleted a collection; undefined when the collection was deleted with another one. */
function requestOf({ requests }: EditHistory, { by, id, atMs }: CollectionEffectFact): RequestFact | undefined {
  return requests.findLast(
    (each) =>
      each.site === by && each.method === 'DELETE' && each.path === `/api2/collections/${id}` && each.fromMs <= atMs,
  );
}

/** The collections that the person at an account confirmed to delete with a collection. */
function confirmedWith(history: EditHistory, account: FinalAccount, deletedId: string): ReadonlySet<string> {
  const idOf = (id: string) => account.serverIds[id] ?? id;
  const confirmed = new Set<string>();
  for (const { site, id, collectionIds } of history.confirmed)
    if (site === account.site && idOf(id) === deletedId) for (const each of collectionIds) confirmed.add(idOf(each));
  for (const { record, base } of deletionsOf(account)) {
    if (idOf(record.entityId) !== deletedId) continue;
    confirmed.add(deletedId);
    const isAnswered = history.decisions.some(
      (each) =>
        each.site === account.site && each.seq === record.seq && each.field === 'item' && each.choice === 'mine',
    );
    if (isAnswered) for (const each of base.collectionIds ?? []) confirmed.add(each);
  }
  return confirmed;
}

/**
 * Whether the check before a deletion could not show a collection although it requested everything: the collection was moved
 * there, or shown to the account again, after the library had made the answers. The API has no conditional deletion.
 */
function isUnknowable(
  history: EditHistory,
  { atMs, id, library }: CollectionEffectFact,
  deletedId: string,
  deletion: RequestFact,
): boolean {
  const { last, lists } = readsBefore(history, deletion);
  if (last === undefined) return false;
  const shown = shownIn(
    deletedId,
    [last, ...lists].map((each) => each.shown),
  );
  const parentOf = (child: string) =>
    history.collectionEffects.findLast(
      (each) => each.library === library && each.id === child && each.field === 'parent' && each.atMs <= atMs,
    )?.after;
  for (let at: string | undefined = id; at !== undefined && !shown.has(at); at = parentOf(at)) {
    const parentId = parentOf(at);
    if (parentId === undefined || !shown.has(parentId)) continue;
    return lists.some((each) => each.isLast && (each.parentId ?? parentId) === parentId);
  }
  return false;
}

/**
 * Returns what the check before a deletion read after the collection itself: lists, and last the tree of the collections that may
 * be deleted. What the program counts after the check, for another deletion, is not included.
 */
function readsBefore(
  { requests, collectionReads }: EditHistory,
  { site, path, fromMs }: RequestFact,
): { last: CollectionReadFact | undefined; lists: readonly CollectionReadFact[] } {
  const own = requests.filter((each) => each.site === site && each.fromMs <= fromMs);
  const begun = own.findLast((each) => each.method === 'GET' && each.path === path && each.result === '200');
  const sinceMs = begun?.toMs ?? Number.POSITIVE_INFINITY;
  const reads = collectionReads.filter((each) => each.site === site && each.atMs >= sinceMs && each.atMs <= fromMs);
  const last = reads.find(({ of }) => of === 'deletable');
  if (last === undefined) return { last, lists: [] };
  const untilMs = own.find((each) => each.method === 'DELETE' && each.fromMs >= last.atMs)?.fromMs ?? fromMs;
  return { last, lists: reads.filter(({ of, atMs }) => of === 'list' && atMs <= untilMs) };
}

/** Returns the ids of a collection and of everything that some answers showed below it. */
function shownIn(id: string, answers: readonly Readonly<Record<string, string>>[]): ReadonlySet<string> {
  const shown = new Set([id]);
  // The loop also visits the ids that are added to the set during it.
  for (const parentId of shown)
    for (const answer of answers)
      for (const [child, parent] of Object.entries(answer)) if (parent === parentId) shown.add(child);
  return shown;
}
