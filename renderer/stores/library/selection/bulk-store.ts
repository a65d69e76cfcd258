import { create } from 'zustand';
import type { BulkChange, EditPlan, RecipeChange } from '../../../../shared/contract/edits.ts';
import { call } from '../../../bridge/bridge.ts';
import { attempt, notify } from '../../app/messages-store.ts';
import { useTree } from '../tree-store.ts';
import { deselectMedia, type Target } from './media-selection.ts';
import { applyNow, openReview } from './review-store.ts';
import { texts } from './texts.ts';

/** An open dialog that asks how to change the selected items. */
export interface BulkDialog {
  kind: 'fields' | 'tags' | 'move' | 'schedule';
  target: Target;
}

interface BulkState {
  dialog: BulkDialog | null;
  /** Items that are dragged, and the collection under the pointer that they can be moved into; pixels of the window. */
  drag: { target: Target; overId: string | null; x: number; y: number } | null;
}

export const useBulk = create<BulkState>(() => ({ dialog: null, drag: null }));

export function openBulkDialog(kind: BulkDialog['kind'], target: Target): void {
  useBulk.setState({ dialog: { kind, target } });
}

export function closeBulkDialog(): void {
  useBulk.setState({ dialog: null });
}

/** Makes a change of one item at once; shows the review for a change of several. Both can be undone, except a deletion. */
export function submitChange({ selection, count }: Target, change: BulkChange, label: string): Promise<void> {
  closeBulkDialog();
  const review = { selection, change, label };
  if (count > 1 || change.delete === true) return openReview(review);
  return attempt(async () => void (await applyNow(review)));
}

export type CurrentValues = EditPlan['current'];

/** More items are not read for a form, unless this computer has a copy of the library. */
const MOST_READ = 500;

/** Returns the present values of items; null when reading them would take too long. Throws. */
export async function loadCurrentValues({ selection, count }: Target): Promise<CurrentValues | null> {
  if (count > MOST_READ) {
    const { phase } = await call('library.syncStatus', { siteId: selection.siteId });
    if (phase !== 'ready') return null;
  }
  const { current } = await call('edits.plan', { selection, change: {}, limit: 0 });
  return current;
}

/** Items of which a recipe shows what it would do. */
const EXAMPLES = 4;

/** Returns what a recipe would do to the first items of a selection. Throws. */
export function loadRecipeExamples({ selection }: Target, recipe: RecipeChange): Promise<EditPlan> {
  return call('edits.plan', { selection, change: { recipe }, limit: EXAMPLES });
}

/** More items are reviewed before a drop moves them. */
const MOST_MOVED_AT_ONCE = 100;

/** Moves dragged items into a collection, with an undo; shows the review for many of them. */
export function submitMove({ selection, count }: Target, collectionId: string): Promise<void> {
  return attempt(async () => {
    const { siteId, rows } = useTree.getState();
    if (siteId !== selection.siteId) return;
    const name = rows.get(collectionId)?.displayName ?? '';
    const review = { selection, change: { collectionId }, label: texts.labels.move(name) };
    if (count > MOST_MOVED_AT_ONCE) return openReview(review);
    if ((await applyNow(review)) === null) notify(texts.alreadyThere(count, name));
    else deselectMedia();
  });
}
