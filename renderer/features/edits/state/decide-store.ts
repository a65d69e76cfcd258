import { create } from 'zustand';
import type { EditChoice, EditRow, EditRowsRef } from '../../../../shared/contract/edits.ts';
import type { AnyField } from '../../../../shared/model/edits/collection-ops.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { attempt } from '../../common/state/messages-store.ts';
import { dropEdits, resolveEdits } from './edits-store.ts';

interface DecisionState {
  /** The row about which a dialog asks. */
  row: EditRow | null;
  /** The index of the field that the dialog shows, among the fields of the row that need a decision. */
  at: number;
  /**
   * The ids of all edits of the same account with the same question, the row included; empty until they are known. An answer
   * for all decides these, which the dialog counts, and no edit that asks later.
   */
  sameIds: readonly string[];
}

const CLOSED: DecisionState = { row: null, at: 0, sameIds: [] };

export const useDecision = create<DecisionState>(() => CLOSED);

export function openDecision(row: EditRow): void {
  showField(row, 0);
}

export function closeDecision(): void {
  useDecision.setState(CLOSED);
}

/** The fields of a row that need a decision. */
export function openFields({ changes }: EditRow): EditRow['changes'] {
  return changes.filter(({ needsDecision }) => needsDecision);
}

function showField(row: EditRow, at: number): void {
  useDecision.setState({ row, at, sameIds: [] });
  const field = openFields(row)[at]?.field;
  if (field === undefined) return;
  void attempt(async () => {
    const { ids } = await call('edits.sameQuestion', { rowId: row.id, field });
    const shown = useDecision.getState();
    if (shown.row === row && shown.at === at) useDecision.setState({ sameIds: ids });
  });
}

interface Decision {
  row: EditRow;
  /** The field that is decided; null: the whole row, for example because its values can't be read. */
  field: AnyField | null;
  choice: EditChoice | { kind: 'drop' };
  /** Applies the decision to all edits that the dialog counts: `sameIds`. */
  isForAll: boolean;
}

/** Sends a decision, then shows the next field of the row or closes the dialog. */
export async function saveDecision({ row, field, choice, isForAll }: Decision): Promise<void> {
  const { sameIds } = useDecision.getState();
  const rows: EditRowsRef = { ids: isForAll && sameIds.length > 0 ? [...sameIds] : [row.id] };
  if (choice.kind === 'drop') {
    await dropEdits(rows);
    return closeDecision();
  }
  if (!(await resolveEdits(rows, field, choice))) return closeDecision();
  const { row: shown, at } = useDecision.getState();
  // The user closed the dialog meanwhile.
  if (shown !== row) return;
  if (at + 1 < openFields(row).length) showField(row, at + 1);
  else closeDecision();
}
