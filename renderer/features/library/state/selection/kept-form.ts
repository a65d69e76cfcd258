import { type ChangeDraft, EMPTY_CHANGE } from './change-draft.ts';
import type { Target } from './media-selection.ts';
import { useAppliedChanges } from './review-store.ts';

let kept: { draft: ChangeDraft; of: string } | null = null;

/** Returns the key of the selection that a form belongs to. It changes when a change of the selection was applied. */
function ownerOf({ selection }: Target): string {
  return JSON.stringify([selection, useAppliedChanges.getState().count]);
}

/** Keeps the form for several items while the inspector is hidden or moves to a drawer. */
export function keepForm(target: Target, draft: ChangeDraft): void {
  kept = { draft, of: ownerOf(target) };
}

/** Returns the form that the user filled in for the same items before, or an empty form. */
export function keptForm(target: Target): ChangeDraft {
  return kept !== null && kept.of === ownerOf(target) ? kept.draft : EMPTY_CHANGE;
}
