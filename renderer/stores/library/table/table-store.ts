import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { ERROR_CATALOG } from '../../../../shared/contract/error-catalog.ts';
import {
  type CheckRow,
  changedRows,
  createGrid,
  type GridModel,
  withChecks,
  withProblems,
  withRows,
} from '../../../../shared/model/grid/grid-model.ts';
import { focusFirstProblem } from '../../../../shared/model/grid/grid-selection.ts';
import { checkEditedCells, editableCell } from '../../../../shared/model/manifest/edited-cells.ts';
import type { CellProblemCode } from '../../../../shared/model/manifest/problems.ts';
import { latestOnly } from '../../../async/latest-only.ts';
import { call } from '../../../bridge/bridge.ts';
import { toErrorData } from '../../../text/errors.ts';
import { announce, notify, warn } from '../../app/messages-store.ts';
import type { Target } from '../selection/media-selection.ts';
import { openPlannedReview, useAppliedChanges } from '../selection/review-store.ts';
import { type TableField, tableColumns } from './table-columns.ts';
import { texts } from './texts.ts';

interface TableState {
  /** The items that are edited as a table; null while it is closed. */
  target: Target | null;
  /** null while the items are read. */
  model: GridModel | null;
  /** Times without an offset are in this zone. */
  timeZone: string;
  error: AppErrorData | null;
  isChecking: boolean;
  /** The user wants to leave although there are changes. */
  isLeaving: boolean;
  /** The rows whose changes are in the plan that is reviewed; null before the first one. */
  reviewed: GridModel['rows'] | null;
}

const CLOSED = {
  ...{ target: null, model: null, timeZone: 'UTC', error: null },
  ...{ isChecking: false, isLeaving: false, reviewed: null },
} satisfies TableState;

export const useTable = create<TableState>(() => CLOSED);

const requests = latestOnly();

/** Opens items as a table. */
export function openTable(target: Target): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  useTable.setState({ ...CLOSED, target, timeZone });
  return readTable();
}

/** Reads the items of the table, such as again after an error. Changes that the user made stay. */
export async function readTable(): Promise<void> {
  const { target, timeZone, model: open } = useTable.getState();
  if (target === null) return;
  const { siteId } = target.selection;
  // A list can have other items now than those that the table shows.
  const selection = open === null ? target.selection : { siteId, ids: open.base.map(({ id }) => id) };
  const request = requests.begin();
  useTable.setState({ error: null });
  try {
    const { rows, missing, collections } = await call('manifest.table', { selection, timeZone });
    if (!request.isLatest()) return;
    const items = new Map(rows.map(({ item }) => [item.id, item]));
    const columns = tableColumns(collections);
    const base = rows.map(({ item, collection }) => ({
      id: item.id,
      cells: columns.map(({ key }) => (key === 'collection' ? collection : editableCell(key, item, timeZone))),
    }));
    const checkRow: CheckRow = (row, cells) => {
      const item = items.get(row.id);
      const changed: Partial<Record<TableField, string>> = {};
      for (const [at, { key }] of columns.entries()) if (cells[at] !== row.cells[at]) changed[key] = cells[at] ?? '';
      if (item === undefined || Object.keys(changed).length === 0) return NO_PROBLEMS;
      const found = checkEditedCells(item, changed, { timeZone, nowMs: Date.now() });
      return new Map(found.map(({ field, code }) => [field, problemText(code)]));
    };
    const { model } = useTable.getState();
    const next =
      model === null ? createGrid(columns, base, checkRow) : withRows(withChecks(model, columns, checkRow), base);
    useTable.setState({ model: next });
    if (missing > 0) warn(texts.missing(missing), null);
  } catch (thrown) {
    if (request.isLatest()) useTable.setState({ error: toErrorData(thrown) });
  }
}

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

/** What is wrong with a cell, with the next step. */
function problemText(code: CellProblemCode): string {
  const { message, nextStep } = ERROR_CATALOG[code];
  return texts.problems[code] ?? `${message} ${nextStep ?? ''}`.trim();
}

export function setTable(model: GridModel): void {
  useTable.setState({ model });
}

/** Checks all changes and shows them in the review. Goes to the first cell that can't be applied instead, if there is one. */
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
    // The user changed more cells meanwhile: the plan does not have them.
    if (useTable.getState().model?.rows !== model.rows) return await reviewTable();
    if (checked.problems.length > 0) return showProblems(checked.problems);
    if (checked.changed === 0) return void notify(texts.nothing);
    useTable.setState({ reviewed: model.rows });
    await openPlannedReview(siteId, checked.planId, texts.label);
  } catch (thrown) {
    if (request.isLatest()) useTable.setState({ isChecking: false, error: toErrorData(thrown) });
  }
}

/** Shows problems that only the engine finds, such as an unknown collection. */
function showProblems(problems: CallOutput<'manifest.checkTable'>['problems']): void {
  const { model } = useTable.getState();
  if (model === null) return;
  const changed = new Map(changedRows(model).map(({ id, cells }) => [id, Object.keys(cells)]));
  const found = problems.map(({ id, field, error }) => {
    // A problem of the whole item is shown in the first cell that was changed.
    const column = field === null || field === 'id' ? changed.get(id)?.[0] : field;
    return { id, column: column ?? 'title', problem: problemText(error.code as CellProblemCode) };
  });
  goToProblem(withProblems(model, found));
}

function goToProblem(model: GridModel): void {
  announce(texts.toCorrect(model.problemCells));
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

/** Closes the table with all of its changes. */
export function closeTable(): void {
  requests.begin();
  useTable.setState(CLOSED);
}

/**
 * Closes the table after the reviewed changes were made. If the user left items out of them, or changed more cells meanwhile,
 * such as one that was still open, the items are read again, and the table stays open with what is not saved.
 */
export function takeAppliedReview(): void {
  const { model, reviewed } = useTable.getState();
  if (reviewed === null) return;
  const { left } = useAppliedChanges.getState();
  if (model === null || (model.rows === reviewed && left.size === 0)) {
    closeTable();
    return;
  }
  if (left.size > 0) notify(texts.leftOut(left.size));
  useTable.setState({ reviewed: null });
  void readTable();
}
