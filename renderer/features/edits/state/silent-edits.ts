import type { EditGroup } from '../../../../shared/contract/edits.ts';
import { useApp } from '../../common/state/app-store.ts';
import { forgetEdit, noteEdit } from '../../common/state/undos.ts';

const startedAt = Date.now();
const seen = new Set<string>();

/** Notes the edits that were stored or undone: the shortcut must not undo an earlier change that is still offered. */
export function takeStoredEdits(groups: readonly EditGroup[]): void {
  const { siteId } = useApp.getState();
  // The oldest first, in the order in which they were made.
  for (const group of groups.toReversed()) {
    if (group.undoneAt !== null) forgetEdit(group.id);
    else if (group.siteId === siteId && group.undoes === null && group.createdAt >= startedAt && !seen.has(group.id)) {
      seen.add(group.id);
      noteEdit(group.id);
    }
  }
}
