import type { BulkChange, EditSelection } from '../../../../../shared/contract/edits.ts';
import { hasInspector, useApp } from '../../../common/state/app-store.ts';
import { warn } from '../../../common/state/messages-store.ts';
import { texts } from '../texts.ts';
import { type ChangeDraft, EMPTY_CHANGE, hasTicks, readDraftChange } from './change-draft.ts';
import { selectedTarget, type Target } from './media-selection.ts';

/** The most forms that are kept. */
const MOST_FORMS = 50;

/** The forms for several items that were filled in and not applied, by their items, the latest last. */
const kept = new Map<string, { siteId: string; draft: ChangeDraft }>();

/** The same items have the same key, in whatever order they were selected. */
function keyOf(selection: EditSelection): string {
  if (!('ids' in selection)) return JSON.stringify({ ...selection, except: [...(selection.except ?? [])].sort() });
  return JSON.stringify([selection.siteId, [...selection.ids].sort()]);
}

/** Returns the form that the user filled in for the same items before and didn't apply; null when there is none. */
export function keptForm(selection: EditSelection): ChangeDraft | null {
  return kept.get(keyOf(selection))?.draft ?? null;
}

/** Keeps what is typed into the form for these items; an empty form removes it. */
export function keepForm(selection: EditSelection, draft: ChangeDraft): void {
  const key = keyOf(selection);
  kept.delete(key);
  if (draft === EMPTY_CHANGE) return;
  kept.set(key, { siteId: selection.siteId, draft });
  for (const oldest of [...kept.keys()].slice(0, -MOST_FORMS)) kept.delete(oldest);
}

/**
 * Returns the form to show after the selection changed: the one that was kept for the new items. If there is none, the form moves with
 * items that are added or taken away; for other items it is empty, and the former one stays with its items.
 */
export function followSelection(from: EditSelection, to: EditSelection, draft: ChangeDraft): ChangeDraft {
  const own = keptForm(to);
  if (own !== null) return own;
  if (!contains(to, from) && !contains(from, to)) {
    if (hasTicks(draft) && 'ids' in from) warnKept(from.ids.length);
    return EMPTY_CHANGE;
  }
  kept.delete(keyOf(from));
  keepForm(to, draft);
  return draft;
}

/** Whether a selection may have all items of another one. */
function contains(larger: EditSelection, smaller: EditSelection): boolean {
  if (larger.siteId !== smaller.siteId) return false;
  if (!('ids' in larger) || !('ids' in smaller)) return !('ids' in larger);
  const ids = new Set(larger.ids);
  return smaller.ids.every((id) => ids.has(id));
}

function warnKept(count: number): void {
  warn(texts.selection.form.kept(count), texts.selection.form.keptNext);
}

/** Removes the form of these items if it describes the change that was applied to them. */
export function forgetApplied(selection: EditSelection, change: BulkChange): void {
  const draft = keptForm(selection);
  if (draft === null) return;
  const isDeleted = change.delete === true;
  if (isDeleted || JSON.stringify(readDraftChange(draft).change) === JSON.stringify(change))
    kept.delete(keyOf(selection));
}

/** Removes the forms of an account that was signed out. */
export function forgetFormsOf(siteId: string): void {
  for (const [key, form] of kept) if (form.siteId === siteId) kept.delete(key);
}

/** Called when the form of these items disappears: says that it is kept, unless its items are still selected. */
export function leaveForm({ selection, count }: Target): void {
  const draft = keptForm(selection);
  if (draft === null || !hasTicks(draft)) return;
  const selected = selectedTarget();
  const isSelected = selected !== null && keyOf(selected.selection) === keyOf(selection);
  // The inspector was hidden, or moved to a drawer. Another view opens the list again, without a selection.
  if (isSelected && hasInspector(useApp.getState().view)) return;
  warnKept(count);
}
