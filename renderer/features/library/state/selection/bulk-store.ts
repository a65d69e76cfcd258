import { create } from 'zustand';
import type { BulkChange, EditPlan, RecipeChange } from '../../../../../shared/contract/edits.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { attempt, notify } from '../../../common/state/messages-store.ts';
import { texts } from '../texts.ts';
import { useTree } from '../tree-store.ts';
import { deselectMedia, type Target } from './media-selection.ts';
import { applyNow, openReview } from './review-store.ts';

/** An open dialog in which the user describes a change of the selected items. */
export interface BulkDialog {
  /** `series`: the dialog of `schedule`, with times one after another. */
  kind: 'fields' | 'tags' | 'move' | 'schedule' | 'series';
  target: Target;
}

interface BulkState {
  dialog: BulkDialog | null;
  /**
   * The dragged items, the id of the collection under the pointer if they can be moved into it, and the pointer position in
   * pixels of the window.
   */
  drag: { target: Target; overId: string | null; x: number; y: number } | null;
}

export const useBulk = create<BulkState>(() => ({ dialog: null, drag: null }));

export function openBulkDialog(kind: BulkDialog['kind'], target: Target): void {
  useBulk.setState({ dialog: { kind, target } });
}

export function closeBulkDialog(): void {
  useBulk.setState({ dialog: null });
}

/**
 * Changes a single item immediately; opens the review for a change of several items. Every change except a deletion can be
 * undone.
 */
export function submitChange({ selection, count }: Target, change: BulkChange, label: string): Promise<void> {
  closeBulkDialog();
  const review = { selection, change, label };
  if (count > 1 || change.delete === true) return openReview(review);
  return attempt(async () => void (await applyNow(review)));
}

export type PlannedValues = EditPlan['current'];

/** The maximum number of items that a form reads when this computer has no copy of the library. */
const MOST_READ = 500;

/** Returns the current values of the items; null when reading them would take too long. Throws if reading fails. */
export async function loadCurrentValues({ selection, count }: Target): Promise<PlannedValues | null> {
  if (count > MOST_READ) {
    const { phase } = await call('library.syncStatus', { siteId: selection.siteId });
    if (phase !== 'ready') return null;
  }
  const { current } = await call('edits.plan', { selection, change: {}, limit: 0 });
  return current;
}

/** The number of items for which the dialog of a recipe shows a preview. */
const EXAMPLES = 4;

/** Returns the result of a recipe for the first items of a selection. Throws if reading fails. */
export function loadRecipeExamples({ selection }: Target, recipe: RecipeChange): Promise<EditPlan> {
  return call('edits.plan', { selection, change: { recipe }, limit: EXAMPLES });
}

/** The maximum number of items that a drop moves without a review. */
const MOST_MOVED_AT_ONCE = 100;

/** Moves dragged items into a collection and offers to undo it; opens the review when there are many items. */
export function submitMove({ selection, count }: Target, collectionId: string): Promise<void> {
  return attempt(async () => {
    const { siteId, rows } = useTree.getState();
    if (siteId !== selection.siteId) return;
    const name = rows.get(collectionId)?.displayName ?? '';
    const review = { selection, change: { collectionId }, label: texts.selection.labels.move(name) };
    if (count > MOST_MOVED_AT_ONCE) return openReview(review);
    if ((await applyNow(review)) === null) notify(texts.selection.alreadyThere(count, name));
    else deselectMedia();
  });
}
