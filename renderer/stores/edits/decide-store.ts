import { create } from 'zustand';
import type { EditChoice, EditRow, EditRowsRef } from '../../../shared/contract/edits.ts';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import { dropEdits, resolveEdits } from './edits-store.ts';

/** The row that a dialog asks about; `at`: which of its fields that need a decision. */
export const useDecision = create<{ row: EditRow | null; at: number }>(() => ({ row: null, at: 0 }));

export function openDecision(row: EditRow): void {
  useDecision.setState({ row, at: 0 });
}

export function closeDecision(): void {
  useDecision.setState({ row: null, at: 0 });
}

/** The fields of a row that need a decision. */
export function openFields({ changes }: EditRow): EditRow['changes'] {
  return changes.filter(({ needsDecision }) => needsDecision);
}

interface Decision {
  row: EditRow;
  /** null: the row as a whole, such as a passed publish time. */
  field: AnyField | null;
  choice: EditChoice | { kind: 'drop' };
  /** Decides the same for all edits with the same state and field. */
  isForAll: boolean;
}

/** Sends a decision, then shows the next field of the row or closes the dialog. */
export async function saveDecision({ row, field, choice, isForAll }: Decision): Promise<void> {
  const filter = row.state === 'held' ? 'held' : 'conflict';
  const rows: EditRowsRef = isForAll ? { groupId: null, filter } : { ids: [row.id] };
  if (choice.kind === 'drop') {
    await dropEdits(rows);
    return closeDecision();
  }
  if (!(await resolveEdits(rows, field, choice))) return closeDecision();
  const { at } = useDecision.getState();
  if (at + 1 < openFields(row).length) useDecision.setState({ at: at + 1 });
  else closeDecision();
}
