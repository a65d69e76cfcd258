import type { EditFilter, EditRowsRef } from '../../../../shared/contract/edits.ts';
import type { Database } from '../../store/database.ts';
import { numbersIn } from '../../store/row-ranges.ts';
import { Statements } from '../../store/statements.ts';
import { OPEN_EDIT_STATES } from './edit-row.ts';
import { IN_COMPLETE_GROUPS } from './edit-store.ts';

const OPEN = OPEN_EDIT_STATES.map((state) => `'${state}'`).join(', ');

/** Finds the edits that a command concerns, by their numbers (`seq`). */
export class EditNumbers {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /** Returns the numbers of the open edits of a group, or of all groups (null), in the states of a filter; ascending. */
  openNumbers(groupSeq: number | null, filter: EditFilter): number[] {
    const inGroup = groupSeq === null ? '' : 'AND group_seq = $groupSeq';
    const sql = `SELECT json_group_array(seq) AS numbers FROM edits
      WHERE state IN (${OPEN}) AND state IN (SELECT value FROM json_each($states)) ${inGroup}
        AND ${IN_COMPLETE_GROUPS}`;
    const states = JSON.stringify(openStatesOf(filter));
    return this.#numbers(sql, groupSeq === null ? { states } : { states, groupSeq });
  }

  /** Returns the numbers of all edits of a group; ascending. */
  ofGroup(groupSeq: number): number[] {
    return this.#numbers('SELECT json_group_array(seq) AS numbers FROM edits WHERE group_seq = $groupSeq', {
      groupSeq,
    });
  }

  /** Returns the numbers of the open edits among these ids; ascending. */
  openAmong(ids: Extract<EditRowsRef, { ids: unknown }>['ids']): number[] {
    const sql = `SELECT json_group_array(DISTINCT seq) AS numbers FROM json_each($numbers) AS given
      JOIN edits ON edits.seq = given.value WHERE state IN (${OPEN})`;
    const numbers = ids.flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []));
    return this.#numbers(sql, { numbers: JSON.stringify(numbers) });
  }

  /** Returns the accounts of edits, each once. */
  siteIdsOf(numbers: readonly number[]): string[] {
    const sql = 'SELECT DISTINCT site_id FROM edits WHERE seq IN (SELECT value FROM json_each($numbers))';
    const rows = this.#statements.prepare(sql).all({ numbers: JSON.stringify(numbers) });
    return rows.map((row) => String(row.site_id));
  }

  #numbers(sql: string, parameters: Record<string, string | number>): number[] {
    return numbersIn(this.#statements.prepare(sql).get(parameters)).sort((one, other) => one - other);
  }
}

function openStatesOf(filter: EditFilter): readonly string[] {
  if (filter === 'all' || filter === 'open') return OPEN_EDIT_STATES;
  return filter === 'attention' ? OPEN_EDIT_STATES.filter((state) => state !== 'pending') : [filter];
}
