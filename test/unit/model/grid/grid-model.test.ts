import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceAll } from '../../../../shared/model/grid/find-replace.ts';
import {
  clear,
  fillDown,
  fillRight,
  fillSelection,
  redo,
  setCell,
  undo,
} from '../../../../shared/model/grid/grid-changes.ts';
import { copyCells, paste, planPaste, readClipboard } from '../../../../shared/model/grid/grid-clipboard.ts';
import {
  changedRows,
  createGrid,
  type GridColumn,
  type GridModel,
  isChanged,
  isReadOnly,
  problemAt,
  textAt,
  withChecks,
  withProblems,
  withRows,
} from '../../../../shared/model/grid/grid-model.ts';
import {
  focusCell,
  focusNextProblem,
  moveFocus,
  rangeOf,
  selectAllCells,
  selectWhole,
} from '../../../../shared/model/grid/grid-selection.ts';

const COLUMNS: readonly GridColumn[] = [
  { key: 'id', label: 'ID', width: 80, kind: 'text', readOnly: true },
  {
    key: 'title',
    label: 'Title',
    width: 200,
    kind: 'text',
    validate: (text) => (text.trim() === '' ? 'Enter a title.' : null),
  },
  { key: 'description', label: 'Description', width: 200, kind: 'multiline' },
  { key: 'tags', label: 'Tags', width: 200, kind: 'tags' },
  { key: 'status', label: 'Status', width: 100, kind: 'choice', choices: ['draft', 'published'] },
  { key: 'explicit', label: 'Explicit', width: 60, kind: 'check' },
];

const cellsOf = (row: number) => [`m:${row}`, `Title ${row}`, `Text ${row}`, 'a|b', 'draft', 'no'];
const base = (rows: number) => Array.from({ length: rows }, (_, row) => ({ id: String(row), cells: cellsOf(row) }));
const gridOf = (rows = 5) => createGrid(COLUMNS, base(rows));
const at = (model: GridModel, row: number, column: number) => focusCell(model, { row, column }, { extends: false });
const range = (model: GridModel, top: number, left: number, bottom: number, right: number) =>
  focusCell(at(model, top, left), { row: bottom, column: right }, { extends: true });
const tableOf = (model: GridModel) => model.rows.map(({ cells }) => cells);

describe('a grid', () => {
  it('counts changed cells and rows, and returns only changed cells', () => {
    const model = setCell(setCell(gridOf(), { row: 1, column: 1 }, 'New'), { row: 1, column: 2 }, 'Other');
    expect([model.changedCells, model.changedRows]).toEqual([2, 1]);
    expect(changedRows(model)).toEqual([{ id: '1', cells: { title: 'New', description: 'Other' } }]);
    expect(isChanged(model, { row: 1, column: 1 })).toBe(true);
  });

  it('has no changes when a cell gets its first text again', () => {
    const model = setCell(setCell(gridOf(), { row: 1, column: 1 }, 'New'), { row: 1, column: 1 }, 'Title 1');
    expect([model.changedCells, model.changedRows]).toEqual([0, 0]);
    expect(model.rows[1]?.cells).toBe(model.base[1]?.cells);
  });

  it('reuses the rows that an action does not change', () => {
    const before = gridOf();
    const after = setCell(before, { row: 2, column: 1 }, 'x');
    expect(after.rows.filter((row, index) => row === before.rows[index])).toHaveLength(4);
  });

  it('does not change read-only cells, and counts them', () => {
    const model = clear(range(gridOf(), 0, 0, 1, 1));
    expect(model.last).toEqual({ action: 'clear', changed: 2, readOnly: 2, outside: 0 });
    expect(tableOf(model)[0]).toEqual(['m:0', '', 'Text 0', 'a|b', 'draft', 'no']);
  });

  it('does not change the cells of a read-only row', () => {
    const model = createGrid(COLUMNS, [{ id: '0', cells: cellsOf(0), readOnly: true }]);
    expect(setCell(model, { row: 0, column: 1 }, 'x').changedCells).toBe(0);
  });

  it('checks each changed cell, and moves from one problem to the next', () => {
    let model = setCell(gridOf(), { row: 3, column: 1 }, ' ');
    model = setCell(model, { row: 1, column: 1 }, '');
    expect([model.problemCells, problemAt(model, { row: 1, column: 1 })]).toEqual([2, 'Enter a title.']);
    model = focusNextProblem(at(model, 2, 0));
    expect(model.selection.focus).toEqual({ row: 3, column: 1 });
    model = focusNextProblem(model);
    expect(model.selection.focus).toEqual({ row: 1, column: 1 });
    expect(setCell(setCell(model, { row: 1, column: 1 }, 'a'), { row: 3, column: 1 }, 'b').problemCells).toBe(0);
  });

  it('checks cells that depend on each other', () => {
    const model = createGrid(COLUMNS, base(1), (_, cells) =>
      cells[4] === 'published' && cells[2] === '' ? new Map([['description', 'Describe it.']]) : new Map(),
    );
    const published = setCell(setCell(model, { row: 0, column: 2 }, ''), { row: 0, column: 4 }, 'published');
    expect(problemAt(published, { row: 0, column: 2 })).toBe('Describe it.');
    expect(setCell(published, { row: 0, column: 4 }, 'draft').problemCells).toBe(0);
  });

  it('shows a problem from another check until the row is changed', () => {
    const found = withProblems(gridOf(), [{ id: '2', column: 'tags', problem: 'Too many.' }]);
    expect([found.problemCells, problemAt(found, { row: 2, column: 3 })]).toEqual([1, 'Too many.']);
    expect(setCell(found, { row: 2, column: 3 }, 'a').problemCells).toBe(0);
  });

  it('checks all cells again when the rules change', () => {
    const strict = COLUMNS.map((column) =>
      column.key === 'tags' ? { ...column, validate: () => 'No tags.' } : column,
    );
    expect(withChecks(gridOf(), strict).problemCells).toBe(5);
  });

  it('keeps the changes of the rows that stay when rows are added and removed', () => {
    let model = setCell(gridOf(3), { row: 0, column: 1 }, 'First');
    model = setCell(model, { row: 2, column: 1 }, 'Third');
    model = withRows(
      at(model, 2, 1),
      [base(3)[2], { id: 'new', cells: cellsOf(9) }].filter((row) => row !== undefined),
    );
    expect(changedRows(model)).toEqual([{ id: '2', cells: { title: 'Third' } }]);
    expect(model.selection.focus).toEqual({ row: 0, column: 1 });
    expect(changedRows(undo(model))).toEqual([]);
    expect(undo(undo(model)).undos).toEqual([]);
  });

  it('undoes only the user’s changes when the rows have other texts meanwhile', () => {
    let model = setCell(gridOf(3), { row: 1, column: 2 }, 'Mine');
    model = setCell(at(model, 2, 3), { row: 2, column: 3 }, 'x');
    const renamed = base(3).map(({ id, cells }) => ({ id, cells: cells.with(1, `Other ${id}`).with(2, 'Since') }));
    model = withRows(model, [{ id: 'new', cells: cellsOf(9) }, ...renamed]);
    expect(changedRows(model)).toEqual([
      { id: '1', cells: { description: 'Mine' } },
      { id: '2', cells: { tags: 'x' } },
    ]);
    const undone = undo(model);
    expect([changedRows(undone), undone.selection.focus]).toEqual([
      [{ id: '1', cells: { description: 'Mine' } }],
      { row: 3, column: 3 },
    ]);
    expect(changedRows(undo(undone))).toEqual([]);
    expect(tableOf(undo(undone))).toEqual([cellsOf(9), ...renamed.map(({ cells }) => cells)]);
    expect(changedRows(redo(redo(undo(undone))))).toEqual(changedRows(model));
  });

  it('selects a remaining row of the step after an undo when the other rows of the step were removed', () => {
    const model = fillSelection(range(gridOf(5), 1, 1, 4, 2), 'x');
    const undone = undo(withRows(model, base(5).slice(0, 3)));
    expect(undone.selection).toEqual({
      anchor: { row: 1, column: 1 },
      extent: { row: 1, column: 1 },
      focus: { row: 1, column: 1 },
    });
    expect([undone.changedCells, undone.rows.length]).toEqual([0, 3]);
  });

  it('stores a choice in the spelling of the column, and the exact choice of two that differ only in case', () => {
    const columns = COLUMNS.map((column) =>
      column.key === 'status' ? { ...column, choices: ['News', 'news', 'Sport'] } : column,
    );
    const model = paste(at(createGrid(columns, base(3)), 0, 4), [['news'], ['NEWS'], ['sport']]);
    expect(tableOf(model).map((cells) => cells[4])).toEqual(['news', 'News', 'Sport']);
  });

  it('stores choices and checks in the spelling of the column', () => {
    const model = paste(at(gridOf(), 0, 4), [
      ['PUBLISHED', 'x'],
      [' Draft ', '0'],
      ['other', 'maybe'],
    ]);
    expect(
      tableOf(model)
        .map((cells) => cells.slice(4))
        .slice(0, 3),
    ).toEqual([
      ['published', 'yes'],
      ['draft', 'no'],
      ['other', 'maybe'],
    ]);
  });
});

describe('the selection', () => {
  it('extends from the anchor and keeps the focus', () => {
    const model = moveFocus(at(gridOf(), 1, 1), { kind: 'step', direction: 'down' }, { extends: true });
    expect(rangeOf(model.selection)).toEqual({ top: 1, left: 1, bottom: 2, right: 1 });
    expect(model.selection.focus).toEqual({ row: 1, column: 1 });
  });

  it('stays within the grid', () => {
    const moves = [
      { kind: 'step', direction: 'up' },
      { kind: 'page', direction: 'up', rows: 99 },
      { kind: 'step', direction: 'left' },
    ] as const;
    for (const move of moves) {
      expect(moveFocus(gridOf(), move, { extends: false }).selection.focus).toEqual({ row: 0, column: 0 });
    }
    expect(
      moveFocus(gridOf(0), { kind: 'page', direction: 'down', rows: 9 }, { extends: false }).selection.focus,
    ).toEqual({
      row: 0,
      column: 0,
    });
  });

  it('moves to the end of the filled cells, and then to the next filled cells', () => {
    const filled = [true, true, false, false, true, false];
    const columns: GridColumn[] = [{ key: 'a', label: 'A', width: 50, kind: 'text' }];
    let model = createGrid(
      columns,
      filled.map((is, row) => ({ id: String(row), cells: [is ? 'x' : ''] })),
    );
    const rows = [];
    for (let step = 0; step < 4; step += 1) {
      model = moveFocus(model, { kind: 'edge', direction: 'down' }, { extends: false });
      rows.push(model.selection.focus.row);
    }
    expect(rows).toEqual([1, 4, 5, 5]);
  });

  it('selects whole rows, whole columns and everything, and keeps the focus', () => {
    const model = at(gridOf(), 2, 1);
    expect(rangeOf(selectWhole(model, 'rows').selection)).toEqual({ top: 2, left: 0, bottom: 2, right: 5 });
    expect(rangeOf(selectWhole(model, 'columns').selection)).toEqual({ top: 0, left: 1, bottom: 4, right: 1 });
    expect(rangeOf(selectAllCells(model).selection)).toEqual({ top: 0, left: 0, bottom: 4, right: 5 });
    expect(selectAllCells(model).selection.focus).toEqual({ row: 2, column: 1 });
  });
});

describe('a paste or fill', () => {
  it('puts one value into all selected cells', () => {
    const model = paste(range(gridOf(), 0, 1, 3, 1), [['Same']]);
    expect(tableOf(model).map((cells) => cells[1])).toEqual(['Same', 'Same', 'Same', 'Same', 'Title 4']);
    expect(model.undos).toHaveLength(1);
  });

  it('repeats a table that fits several times, and selects the pasted cells', () => {
    const model = paste(range(gridOf(), 0, 1, 3, 2), [
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(tableOf(model).map((cells) => cells[1])).toEqual(['a', 'c', 'a', 'c', 'Title 4']);
    const once = paste(range(gridOf(), 0, 1, 2, 2), [['a'], ['c']]);
    expect(tableOf(once).map((cells) => cells[1])).toEqual(['a', 'c', 'Title 2', 'Title 3', 'Title 4']);
    expect(rangeOf(once.selection)).toEqual({ top: 0, left: 1, bottom: 1, right: 1 });
  });

  it('counts cells that do not fit', () => {
    const table = [
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
      ['g', 'h', 'i'],
    ];
    const model = at(gridOf(), 3, 4);
    expect(planPaste(model, table)).toMatchObject({ rowsOutside: 1, columnsOutside: 1, readOnly: 0 });
    expect(paste(model, table).last).toEqual({ action: 'paste', changed: 4, readOnly: 0, outside: 5 });
  });

  it('does not change a cell for which a shorter row of the table has no value', () => {
    const model = paste(at(gridOf(), 0, 1), [['a', 'b'], ['c']]);
    expect(tableOf(model)[1]).toEqual(['m:1', 'c', 'Text 1', 'a|b', 'draft', 'no']);
  });

  it('fills down and right from the first selected cells, or from the cell before a single one', () => {
    expect(tableOf(fillDown(range(gridOf(), 1, 1, 3, 2)))[3]?.slice(1, 3)).toEqual(['Title 1', 'Text 1']);
    expect(tableOf(fillDown(at(gridOf(), 1, 1)))[1]?.[1]).toBe('Title 0');
    expect(tableOf(fillRight(range(gridOf(), 0, 1, 0, 3)))[0]?.slice(1, 4)).toEqual(['Title 0', 'Title 0', 'Title 0']);
    expect(tableOf(fillRight(at(gridOf(), 0, 2)))[0]?.[2]).toBe('Title 0');
    expect(fillDown(at(gridOf(), 0, 1)).last).toMatchObject({ action: 'fill', changed: 0 });
  });
});

describe('in any grid,', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', 'B', '"', '\t', '\n', '\r', ' ', '|', '\u00a0', '😀', 'ß', 'א'),
  });
  const place = fc.record({ row: fc.nat(5), column: fc.nat(5) });
  const rows = fc.array(fc.array(texts, { minLength: 6, maxLength: 6 }), { minLength: 6, maxLength: 6 });
  const models = fc.tuple(rows, place, place, fc.nat(5)).map(([cells, from, to, locked]) => {
    const columns = COLUMNS.map((column, index) => ({ ...column, readOnly: index === locked }));
    const model = createGrid(
      columns,
      cells.map((row, index) => ({ id: String(index), cells: row })),
    );
    return focusCell(focusCell(model, from, { extends: false }), to, { extends: true });
  });
  const actions = fc.oneof(
    fc.tuple(place, texts).map(
      ([to, text]) =>
        (model: GridModel) =>
          setCell(model, to, text),
    ),
    fc.constantFrom(fillDown, fillRight, (model: GridModel) => clear(model)),
    texts.map((text) => (model: GridModel) => fillSelection(model, text)),
    texts.map((text) => (model: GridModel) => paste(model, readClipboard(text))),
    fc.tuple(texts, texts).map(
      ([find, replaceWith]) =>
        (model: GridModel) =>
          replaceAll(model, { find, matchCase: false, inSelection: true }, replaceWith),
    ),
  );

  it('a paste of copied cells changes nothing', () => {
    fc.assert(
      fc.property(models, (model) => {
        expect(paste(model, readClipboard(copyCells(model))).last).toMatchObject({ changed: 0, outside: 0 });
      }),
      { numRuns: 500 },
    );
  });

  it('an undo restores every cell, problem, count and the selection, and a redo applies the change again', () => {
    const state = ({ rows: now, changedCells, changedRows: changed, problemCells, selection }: GridModel) => ({
      now,
      changedCells,
      changed,
      problemCells,
      selection,
    });
    fc.assert(
      fc.property(models, fc.array(actions, { maxLength: 6 }), (model, list) => {
        const states = [model];
        for (const action of list) {
          const before = states.at(-1) ?? model;
          const after = action(before);
          if (after.undos.length > before.undos.length) states.push(after);
        }
        let now = states.at(-1) ?? model;
        for (const expected of states.slice(0, -1).reverse()) {
          now = undo(now);
          expect(state(now)).toEqual(state(expected));
        }
        expect(now.undos).toEqual([]);
        for (const expected of states.slice(1)) {
          now = redo(now);
          expect(state(now)).toEqual(state(expected));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('no action changes a read-only cell', () => {
    fc.assert(
      fc.property(models, fc.array(actions, { maxLength: 6 }), (model, list) => {
        const after = list.reduce((now, action) => action(now), model);
        for (const [row, { cells }] of after.rows.entries()) {
          for (const column of cells.keys()) {
            if (isReadOnly(model, { row, column })) {
              expect(textAt(after, { row, column })).toBe(textAt(model, { row, column }));
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('the counts of changes and problems agree with the cells', () => {
    fc.assert(
      fc.property(models, fc.array(actions, { maxLength: 6 }), (model, list) => {
        const after = list.reduce((now, action) => action(now), model);
        const cells = after.rows.flatMap((_, row) => COLUMNS.map((__, column) => ({ row, column })));
        expect(after.changedCells).toBe(cells.filter((each) => isChanged(after, each)).length);
        expect(after.changedRows).toBe(changedRows(after).length);
        expect(after.problemCells).toBe(cells.filter((each) => problemAt(after, each) !== null).length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a grid of 5,000 rows and 12 columns', () => {
  const columns = Array.from({ length: 12 }, (_, index): GridColumn => {
    return { key: `c${index}`, label: `C${index}`, width: 100, kind: index === 3 ? 'multiline' : 'text' };
  });
  const rows = Array.from({ length: 5000 }, (_, row) => ({
    id: String(row),
    cells: columns.map((_, column) => `Text ${row} ${column}`),
  }));

  it('takes a paste of all its cells as one step, and undoes it', () => {
    const model = createGrid(columns, rows);
    const table = rows.map(({ cells }) => cells.map((text) => `${text} new`));
    const pasted = paste(model, table);
    expect([pasted.changedCells, pasted.undos.length]).toEqual([60_000, 1]);
    expect(undo(pasted).rows).toEqual(model.rows);
  });

  it('copies only the row of a changed cell', () => {
    const model = createGrid(columns, rows);
    const after = setCell(model, { row: 2500, column: 5 }, 'x');
    expect(after.rows.filter((row, index) => row !== model.rows[index])).toHaveLength(1);
    expect(after.undos[0]?.patches).toHaveLength(1);
  });
});
