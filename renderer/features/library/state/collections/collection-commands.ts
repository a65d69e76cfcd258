import type { Collection } from '../../../../../shared/api/collections.ts';
import type { CollectionDetail, CollectionMoves, CollectionPatch } from '../../../../../shared/contract/collections.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { copyText } from '../../../../kit/bridge/files-and-clipboard.ts';
import { stepText } from '../../../../kit/text/errors.ts';
import { openPanel } from '../../../common/state/app-store.ts';
import { attempt, notify, warn } from '../../../common/state/messages-store.ts';
import { OFFER_UNDO_MS, offerUndo } from '../../../common/state/undos.ts';
import { undoGroup } from '../../../edits/state/follow-group.ts';
import { texts } from '../texts.ts';
import { patchRow, reloadTree, setExpanded, useTree } from '../tree-store.ts';
import { presentValues } from './collection-draft.ts';
import { topmost } from './collection-selection.ts';
import { refuseTooMany, useCollections } from './collections-store.ts';

/** Opens the dialog for a new collection inside a collection. */
export function newSubCollection(parentId: string): void {
  useCollections.setState({ newParentId: parentId, menu: null });
  openPanel('new-collection');
}

/**
 * Saves changed fields of a collection; the fields must still have the values of `opened`. Shows a confirmation with an undo,
 * which writes the old values back if they haven’t changed since. Throws.
 */
export async function saveCollection(
  siteId: string,
  opened: Collection,
  patch: CollectionPatch,
): Promise<CollectionDetail> {
  const before = presentValues(opened, patch);
  const detail = await call('library.updateCollection', {
    siteId,
    collectionId: opened.id,
    patch,
    expected: before,
  });
  takeCollection(siteId, detail.collection);
  const isRename = patch.display_name !== undefined && Object.keys(patch).length === 1;
  const words = isRename
    ? texts.collections.renamed(opened.display_name, detail.collection.display_name)
    : texts.collections.saved(detail.collection.display_name);
  const { groupId, isPending } = detail;
  if (groupId === undefined) notify(words);
  else offerEditUndo(isPending ? texts.collections.pending(words) : words, groupId);
  return detail;
}

function offerEditUndo(words: string, groupId: string): void {
  offerUndo(words, OFFER_UNDO_MS, () => undoEdit(groupId), { groupId });
}

/** Undoes an edit of collections, and reports the result; the tree is read again before and after it is sent. Throws. */
async function undoEdit(groupId: string): Promise<void> {
  await undoGroup(groupId, { kind: 'collection', onSettled: reloadTree });
  reloadTree();
}

/** Writes values back, if the collection still has the values of the undone change. */
async function restore(siteId: string, collectionId: string, patch: CollectionPatch, expected: CollectionPatch) {
  const { collection } = await call('library.updateCollection', { siteId, collectionId, patch, expected });
  takeCollection(siteId, collection);
  notify(texts.collections.undone);
}

/** Requests that the library generates the slug from the name again, with an undo. Throws. */
export async function makeSlug(siteId: string, opened: Collection): Promise<CollectionDetail> {
  const detail = await call('library.reslugifyCollection', { siteId, collectionId: opened.id });
  const { slug } = detail.collection;
  takeCollection(siteId, detail.collection);
  if (slug === opened.slug || opened.slug === '') notify(texts.collections.newSlug(slug));
  else {
    const undo = () => restore(siteId, opened.id, { slug: opened.slug }, { slug });
    offerUndo(texts.collections.newSlug(slug), OFFER_UNDO_MS, undo);
  }
  return detail;
}

/** Reports that a collection was created, with an undo. */
export function noteCreated(name: string, groupId: string | undefined, isPending: boolean): void {
  const words = isPending
    ? texts.collections.pending(texts.collections.created(name))
    : texts.collections.created(name);
  if (groupId === undefined) notify(words);
  else offerEditUndo(words, groupId);
}

/** Renames a collection from the tree. Throws. */
export async function renameCollection(collectionId: string, name: string): Promise<void> {
  const { siteId } = useTree.getState();
  if (siteId === null) return;
  const { collection } = await call('library.collectionDetail', { siteId, collectionId });
  if (collection.display_name === name) return takeCollection(siteId, collection);
  await saveCollection(siteId, collection, { display_name: name });
}

/** Shows the new values of a collection in the tree immediately. */
function takeCollection(siteId: string, collection: Collection): void {
  if (useTree.getState().siteId !== siteId) return;
  const { display_name: displayName, slug, is_podcast: isPodcast } = collection;
  patchRow(collection.id, { displayName, slug, isPodcast });
}

/**
 * Moves collections into another one; selected collections below another selected one move with it. Shows the outcome with an
 * undo.
 */
export function moveCollections(ids: readonly string[], targetId: string): Promise<boolean> {
  let isDone = false;
  return attempt(async () => {
    const { siteId, rows } = useTree.getState();
    if (siteId === null) return;
    const moving = topmost(rows, ids).filter((id) => rows.get(id)?.parentId !== targetId);
    if (moving.length === 0) return warn(texts.collections.nothingToMove, null);
    if (refuseTooMany(moving)) return;
    const moves = moving.map((collectionId) => {
      // The parent that the tree shows: a move by someone else that the tree does not show yet is not overwritten.
      const parentId = rows.get(collectionId)?.parentId ?? null;
      return { collectionId, newParentId: targetId, ...(parentId === null ? {} : { expectedParentId: parentId }) };
    });
    const result = await call('library.moveCollections', { siteId, moves });
    isDone = result.failed.length === 0;
    setExpanded(targetId, true);
    reloadTree();
    const [first] = result.moved;
    if (first !== undefined) {
      const target = rows.get(targetId)?.displayName ?? '';
      const words = texts.collections.moved(result.moved.length, first.displayName, target);
      const { groupId = null } = result;
      const isPending = result.moved.some((each) => each.isPending === true);
      if (groupId !== null) offerEditUndo(isPending ? texts.collections.pending(words) : words, groupId);
    }
    reportFailedMoves(result, moves.length);
  }).then(() => isDone);
}

function reportFailedMoves({ failed }: CollectionMoves, total: number): void {
  const [first] = failed;
  if (first !== undefined)
    warn(texts.collections.notMoved(failed.length, total, first.error.message), stepText(first.error));
}

const MAX_LINKS = 100;

/** Copies the addresses of the collections' web pages, one per line. */
export function copyLinks(ids: readonly string[]): Promise<void> {
  return attempt(async () => {
    const { siteId } = useTree.getState();
    if (siteId === null) return;
    const links: string[] = [];
    for (const collectionId of ids.slice(0, MAX_LINKS)) {
      const { viewUrl } = await call('library.collectionDetail', { siteId, collectionId });
      if (viewUrl !== null) links.push(viewUrl);
    }
    if (links.length === 0) return warn(texts.collections.noLink, texts.collections.noLinkNext);
    await copyText(links.join('\n'));
    notify(links.length === 1 ? texts.collections.linkCopied : texts.collections.linksCopied(links.length));
  });
}
