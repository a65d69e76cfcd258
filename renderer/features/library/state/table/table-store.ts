import { create } from 'zustand';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../../../shared/contract/contract.ts';
import { ERROR_CATALOG } from '../../../../../shared/contract/errors/error-catalog.ts';
import { withLastColumns } from '../../../../../shared/model/grid/grid-columns.ts';
import {
  type CheckRow,
  changedRows,
  createGrid,
  type GridModel,
  withProblems,
} from '../../../../../shared/model/grid/grid-model.ts';
import { focusFirstProblem } from '../../../../../shared/model/grid/grid-selection.ts';
import { withUnknownEntries } from '../../../../../shared/model/keep-unknown.ts';
import { localTimeZone } from '../../../../../shared/model/local-time-zone.ts';
import { checkEditedCells } from '../../../../../shared/model/manifest/edited-cells.ts';
import type { CellProblemCode } from '../../../../../shared/model/manifest/problems.ts';
import { latestOnly } from '../../../../kit/async/latest-only.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../../kit/text/errors.ts';
import { announce, notify, warn } from '../../../common/state/messages-store.ts';
import { preferences, savePreferences } from '../../../common/state/preferences.ts';
import type { Target } from '../selection/media-selection.ts';
import { openPlannedReview, useAppliedChanges } from '../selection/review-store.ts';
import { texts } from '../texts.ts';
import {
  isTableFact,
  storedFacts,
  TABLE_FACTS,
  TABLE_FIELDS,
  type TableFact,
  type TableField,
  tableColumns,
  tableRow,
} from './table-columns.ts';

interface TableState {
  /** The items that are edited as a table; null while it is closed. */
  target: Target | null;
  /** null while the items are read. */
  model: GridModel | null;
  /** The items as the engine returned them, needed when the columns change. */
  items: CallOutput<'manifest.table'> | null;
  /** The chosen facts, which are shown after the fields. */
  facts: readonly TableFact[];
  /** Times without an offset are in this zone. */
  timeZone: string;
  error: AppErrorData | null;
  isChecking: boolean;
  /** Whether the user asked to leave while the table has changes. */
  isLeaving: boolean;
  /** The rows whose changes the reviewed plan contains; null before the first plan. */
  reviewed: GridModel['rows'] | null;
}

const CLOSED = {
  target: null,
  model: null,
  items: null,
  facts: [],
  timeZone: 'UTC',
  error: null,
  isChecking: false,
  isLeaving: false,
  reviewed: null,
} satisfies TableState;

export const useTable = create<TableState>(() => CLOSED);

const requests = latestOnly();

/** Opens items as a table. */
export function openTableEditor(target: Target): Promise<void> {
  const timeZone = localTimeZone();
  useTable.setState({ ...CLOSED, target, timeZone, facts: storedFacts(preferences().tableFacts) });
  return readTable();
}

/** Reads the items of the table, also again after an error. Changes that the user made stay. */
export async function readTable(): Promise<void> {
  const { target, timeZone, model: open } = useTable.getState();
  if (target === null) return;
  const { siteId } = target.selection;
  // The list may contain other items than the table by now.
  const selection = open === null ? target.selection : { siteId, ids: open.base.map(({ id }) => id) };
  const request = requests.begin();
  useTable.setState({ error: null });
  try {
    const items = await call('manifest.table', { selection, timeZone });
    if (!request.isLatest()) return;
    const { columns, base, checkRow } = tableOf(items);
    const { model } = useTable.getState();
    const isOpen = model !== null;
    const next = isOpen ? withLastColumns({ ...model, checkRow }, columns, base) : createGrid(columns, base, checkRow);
    useTable.setState({ items, model: next });
    if (items.missing > 0) warn(texts.table.missing(items.missing), null);
  } catch (thrown) {
    if (request.isLatest()) useTable.setState({ error: toErrorData(thrown) });
  }
}

/** Returns the table of items with the chosen columns. */
function tableOf({ rows, collections }: CallOutput<'manifest.table'>) {
  const { timeZone, facts } = useTable.getState();
  const items = new Map(rows.map(({ item }) => [item.id, item]));
  const columns = tableColumns(collections, facts);
  const checkRow: CheckRow = (row, cells) => {
    const item = items.get(row.id);
    const changed: Partial<Record<TableField, string>> = {};
    for (const [at, key] of TABLE_FIELDS.entries()) if (cells[at] !== row.cells[at]) changed[key] = cells[at] ?? '';
    if (item === undefined || Object.keys(changed).length === 0) return NO_PROBLEMS;
    const found = checkEditedCells(item, changed, { timeZone, nowMs: Date.now() });
    return new Map(found.map(({ field, code }) => [field, problemText(code)]));
  };
  return { columns, base: rows.map((row) => tableRow(row, columns, timeZone)), checkRow };
}

/** Shows or hides the column of a fact. Fields are always shown. */
export function toggleFact(fact: TableFact): void {
  const { facts: before, items, model } = useTable.getState();
  const facts = TABLE_FACTS.filter((each) => before.includes(each) !== (each === fact));
  useTable.setState({ facts });
  savePreferences({ tableFacts: withUnknownEntries(preferences().tableFacts, isTableFact, facts) });
  if (items === null || model === null) return;
  const { columns, base } = tableOf(items);
  useTable.setState({ model: withLastColumns(model, columns, base) });
}

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

/** Returns the text for a problem of a cell, with the next step. */
function problemText(code: CellProblemCode): string {
  const { message, nextStep } = ERROR_CATALOG[code];
  return texts.table.problems[code] ?? `${message} ${nextStep ?? ''}`.trim();
}

export function setTable(model: GridModel): void {
  useTable.setState({ model });
}

/** Checks all changes and shows them in the review. When a cell can't be applied, moves to the first such cell instead. */
export async function reviewTable(): Promise<void> {
  const { target, model, timeZone, isChecking } = useTable.getState();
  if (target === null || model === null || isChecking) return;
  if (model.problemCells > 0) return goToProblem(model);
  const { siteId } = target.selection;
  const request = requests.begin();
  useTable.setState({ isChecking: true, error: null });
  try {
    const checked = await call('manifest.checkTable', { siteId, rows: changedRows(model), timeZone });
    if (!request.isLatest()) return;
    useTable.setState({ isChecking: false });
    // The user changed more cells during the check, so the plan does not contain them.
    if (useTable.getState().model?.rows !== model.rows) return await reviewTable();
    if (checked.problems.length > 0) return showProblems(checked.problems);
    if (checked.changed === 0) return void notify(texts.table.nothing);
    useTable.setState({ reviewed: model.rows });
    await openPlannedReview(siteId, checked.planId, texts.table.label);
  } catch (thrown) {
    if (request.isLatest()) useTable.setState({ isChecking: false, error: toErrorData(thrown) });
  }
}

/** Shows problems that only the engine can detect, such as an unknown collection. */
function showProblems(problems: CallOutput<'manifest.checkTable'>['problems']): void {
  const { model } = useTable.getState();
  if (model === null) return;
  const changed = new Map(changedRows(model).map(({ id, cells }) => [id, Object.keys(cells)]));
  const found = problems.map(({ id, field, error }) => {
    // A problem of the whole item is shown in the first changed cell of its row.
    const column = field === null || field === 'id' ? changed.get(id)?.[0] : field;
    return { id, column: column ?? 'title', problem: problemText(error.code as CellProblemCode) };
  });
  goToProblem(withProblems(model, found));
}

function goToProblem(model: GridModel): void {
  announce(texts.table.toCorrect(model.problemCells));
  useTable.setState({ model: focusFirstProblem(model) });
}

/** Closes the table. Asks first while there are changes. */
export function leaveTable(): void {
  const { model } = useTable.getState();
  if ((model?.changedCells ?? 0) > 0) useTable.setState({ isLeaving: true });
  else closeTable();
}

export function stayInTable(): void {
  useTable.setState({ isLeaving: false });
}

/** Closes the table and discards all of its changes. */
export function closeTable(): void {
  requests.begin();
  useTable.setState(CLOSED);
}

/**
 * Closes the table after the reviewed changes were applied. If the user excluded items from them, or changed more cells during
 * the review, such as a cell that was still open, reads the items again and keeps the table open with the unsaved changes.
 */
export function takeAppliedReview(): void {
  const { model, reviewed } = useTable.getState();
  if (reviewed === null) return;
  const { left } = useAppliedChanges.getState();
  if (model === null || (model.rows === reviewed && left.size === 0)) {
    closeTable();
    return;
  }
  if (left.size > 0) notify(texts.table.leftOut(left.size));
  useTable.setState({ reviewed: null });
  void readTable();
}
