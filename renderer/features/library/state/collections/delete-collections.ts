import { create } from 'zustand';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type { CollectionDeletion } from '../../../../../shared/contract/collections.ts';
import type { EventData } from '../../../../../shared/contract/contract.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../../kit/text/errors.ts';
import { attempt, notify } from '../../../common/state/messages-store.ts';
import { texts } from '../texts.ts';
import { reloadTree, selectCollection, useTree } from '../tree-store.ts';
import { NO_MARKS, topmost } from './collection-selection.ts';

interface DeletionState {
  /** The deletion that is running. */
  progress: { siteId: string; deletedItems: number; items: number; isStopping: boolean } | null;
}

export const useCollectionDeletion = create<DeletionState>(() => ({ progress: null }));

/** Takes the progress that the engine reports. */
export function takeDeletionProgress({ siteId, deletedItems, items }: EventData<'onDidProgressDeletion'>): void {
  const { progress } = useCollectionDeletion.getState();
  if (progress?.siteId === siteId) useCollectionDeletion.setState({ progress: { ...progress, deletedItems, items } });
}

const LARGE_ITEMS = 10;
const LARGE_COLLECTIONS = 5;

/** Returns whether a deletion removes so much that the user has to type the name of the collection to confirm it. */
export function isLarge({ collections, items }: Pick<CollectionDeletion, 'collections' | 'items'>): boolean {
  return items >= LARGE_ITEMS || collections >= LARGE_COLLECTIONS;
}

type DeletionOutcome =
  | { kind: 'done' }
  | {
      kind: 'left';
      /** The chosen collections that still exist. */
      left: readonly string[];
      error: AppErrorData | null;
      /** How many of the chosen collections, and how many items in all, were deleted. */
      deleted: { collections: number; items: number };
      isStopped: boolean;
    };

/** Deletes collections with the contents that `plan` counted and the user confirmed. Never rejects. */
export async function deleteCollections(
  siteId: string,
  ids: readonly string[],
  name: string,
  plan: CollectionDeletion,
): Promise<DeletionOutcome> {
  const confirmed = { collectionIds: plan.collectionIds, items: plan.items };
  // Those below another chosen one are deleted with it.
  const chosen = topmost(useTree.getState().rows, ids);
  useCollectionDeletion.setState({ progress: { siteId, deletedItems: 0, items: plan.items, isStopping: false } });
  try {
    const result = await call('library.deleteCollections', { siteId, collectionIds: [...ids], confirmed });
    afterDeletion(siteId, result.deleted);
    const [failed] = result.failed;
    const pending = result.pending ?? [];
    const left = chosen.filter((id) => !result.deleted.includes(id) && !pending.includes(id));
    if (pending.length > 0) {
      reloadTree();
      notify(texts.collections.pending(texts.collections.deleting(pending.length, name)));
      if (left.length === 0) return { kind: 'done' };
    }
    // The user can stop when the last collection is deleted already: that is a complete deletion.
    if (left.length === 0 || (failed === undefined && !result.isStopped)) {
      notify(texts.collections.deleted(ids.length, name, result.deletedItems));
      return { kind: 'done' };
    }
    const { deleted, deletedItems, isStopped } = result;
    return {
      kind: 'left',
      left,
      error: failed?.error ?? null,
      deleted: { collections: deleted.length, items: deletedItems },
      isStopped,
    };
  } catch (thrown) {
    return {
      kind: 'left',
      left: ids,
      error: toErrorData(thrown),
      deleted: { collections: 0, items: 0 },
      isStopped: false,
    };
  } finally {
    useCollectionDeletion.setState({ progress: null });
  }
}

export function stopDeletion(siteId: string): Promise<void> {
  const { progress } = useCollectionDeletion.getState();
  if (progress !== null) useCollectionDeletion.setState({ progress: { ...progress, isStopping: true } });
  return attempt(async () => void (await call('library.stopDeletion', { siteId })));
}

/** Opens the nearest collection that is left when the open one was deleted, and loads the tree again. */
function afterDeletion(siteId: string, deleted: readonly string[]): void {
  const { siteId: shown, rows, selectedId } = useTree.getState();
  if (shown !== siteId) return;
  const gone = new Set(deleted);
  const path: string[] = [];
  for (let id = selectedId; id !== null && path.length < 200; id = rows.get(id)?.parentId ?? null) path.push(id);
  const lowest = path.findLastIndex((id) => gone.has(id));
  if (lowest >= 0) selectCollection(path[lowest + 1] ?? null);
  useTree.setState({ marks: NO_MARKS });
  reloadTree();
}
