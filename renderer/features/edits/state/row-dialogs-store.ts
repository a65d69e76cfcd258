import { create } from 'zustand';
import type { EditRow } from '../../../../shared/contract/edits.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { attempt } from '../../common/state/messages-store.ts';
import { openDecision } from './decide-store.ts';
import { showEdits } from './edits-store.ts';

/** The row whose values a dialog shows for copying, and the refused row whose texts a dialog changes. */
export const useRowDialogs = create<{ values: EditRow | null; revised: EditRow | null }>(() => ({
  values: null,
  revised: null,
}));

export function showValues(row: EditRow): void {
  useRowDialogs.setState({ values: row });
}

export function openRevise(row: EditRow): void {
  useRowDialogs.setState({ revised: row });
}

export function closeRowDialogs(): void {
  useRowDialogs.setState({ values: null, revised: null });
}

/** Opens the list of edits that need the user, and the first question among them. */
export function decideFirst(): Promise<void> {
  showEdits('attention');
  return attempt(async () => {
    for (const filter of ['conflict', 'held'] as const) {
      const { rows } = await call('edits.groupRows', { groupId: null, filter, limit: 1 });
      const [asking] = rows;
      if (asking !== undefined) return openDecision(asking);
    }
  });
}
