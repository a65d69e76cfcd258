// The table of items, when the user changes cells while its changes are checked or reviewed.
import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../../renderer/features/common/state/messages-store.ts';
import {
  closeTable,
  openTableEditor,
  reviewTable,
  setTable,
  takeAppliedReview,
  toggleFact,
  useTable,
} from '../../../../../../../renderer/features/library/state/table/table-store.ts';
import type { CallInput, CallOutput } from '../../../../../../../shared/contract/contract.ts';
import { setCell, undo } from '../../../../../../../shared/model/grid/grid-changes.ts';
import { changedRows, type GridModel } from '../../../../../../../shared/model/grid/grid-model.ts';
import { focusCell } from '../../../../../../../shared/model/grid/grid-selection.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

const IDS = ['a', 'b'];
type Read = CallOutput<'manifest.table'>;
const rowOf = (id: string, title = id): Read['rows'][number] => ({
  item: {
    id,
    title,
    byline: '',
    description: '',
    tags: [],
    collectionId: 'c',
    status: 'draft',
    publishOn: null,
  } as Read['rows'][number]['item'],
  collection: 'Course',
  facts: {
    type: 'video',
    length: '1:00',
    createdOn: '2031-05-06',
    modifiedOn: '',
    size: '5',
    captions: 'no',
    views: '1',
    likes: '0',
    comments: '0',
  },
});
const read = (...rows: Read['rows']): Read => ({ rows, missing: 0, collections: [] });
const checked = (planId: string, changed: number) => ({ planId, changed, unchanged: 0, problems: [] });

let bridge: HeldBridge;
beforeEach(async () => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  closeTable();
  const opening = openTableEditor({ selection: { siteId: 's', ids: IDS }, count: 2, title: null });
  await bridge.take('manifest.table').answer(read(rowOf('a'), rowOf('b')));
  await opening;
});

const place = (id: string, key: string) => {
  const { model } = useTable.getState();
  if (model === null) throw new Error('The table is not open.');
  return { model, at: { row: IDS.indexOf(id), column: model.columns.findIndex((column) => column.key === key) } };
};
function type(id: string, key: string, text: string): void {
  const { model, at } = place(id, key);
  setTable(setCell(model, at, text));
}
/** Returns the changed rows of the table; null: the table is closed. */
const left = () => {
  const { model } = useTable.getState();
  return model && Object.fromEntries(changedRows(model).map(({ id, cells }) => [id, cells]));
};
/** Answers the check in flight. Returns the checked rows. */
async function check(planId: string, changed: number): Promise<CallInput<'manifest.checkTable'>['rows']> {
  const { input, answer } = bridge.take('manifest.checkTable');
  await answer(checked(planId, changed));
  return input.rows;
}

describe('the table of items', () => {
  it('checks again before the review when a cell was changed during the check', async () => {
    type('a', 'title', 'One');
    void reviewTable();
    type('b', 'title', 'Two');
    expect(await check('first', 1)).toEqual([{ id: 'a', cells: { title: 'One' } }]);
    expect(bridge.waiting).not.toContain('edits.plan');
    expect(await check('second', 2)).toEqual([
      { id: 'a', cells: { title: 'One' } },
      { id: 'b', cells: { title: 'Two' } },
    ]);
    expect(bridge.take('edits.plan').input.planId).toBe('second');
  });

  it('checks once when only the focus moved during the check', async () => {
    type('a', 'title', 'One');
    void reviewTable();
    const { model, at } = place('b', 'title');
    setTable(focusCell(model, at, { extends: false }));
    await check('only', 1);
    expect(bridge.take('edits.plan').input.planId).toBe('only');
    takeAppliedReview();
    expect(left()).toBeNull();
  });

  it('stays open with cells that were changed after the check, when the reviewed changes are saved', async () => {
    type('a', 'title', 'One');
    void reviewTable();
    await check('only', 1);
    type('a', 'byline', 'Ada');
    type('b', 'title', 'Two');
    takeAppliedReview();
    const again = bridge.take('manifest.table');
    expect(again.input.selection).toEqual({ siteId: 's', ids: IDS });
    await again.answer(read(rowOf('a', 'One'), rowOf('b')));
    expect(left()).toEqual({ a: { byline: 'Ada' }, b: { title: 'Two' } });
    void reviewTable();
    await check('next', 2);
    takeAppliedReview();
    expect(left()).toBeNull();
  });
});

describe('columns that can’t be changed', () => {
  const shown = () => useTable.getState().model?.columns.map(({ key }) => key) ?? [];
  const cells = () => useTable.getState().model?.rows[0]?.cells;

  it('are shown after the fields and hidden again; changes, undo and the focus stay', () => {
    const fields = shown();
    type('a', 'title', 'Changed');
    for (const fact of ['id', 'type', 'createdOn'] as const) toggleFact(fact);
    expect(shown()).toEqual([...fields, 'type', 'createdOn', 'id']);
    expect(cells()?.slice(-3)).toEqual(['video', '2031-05-06', 'a']);
    expect(left()).toEqual({ a: { title: 'Changed' } });
    const { model, at } = place('b', 'id');
    setTable(focusCell(setCell(model, at, 'other'), at, { extends: false }));
    expect(left(), 'a fact can’t be changed').toEqual({ a: { title: 'Changed' } });
    for (const fact of ['id', 'type', 'createdOn'] as const) toggleFact(fact);
    expect(shown()).toEqual(fields);
    expect(useTable.getState().model?.selection.focus).toEqual({ row: 1, column: fields.length - 1 });
    setTable(undo(useTable.getState().model as GridModel));
    expect(left()).toEqual({});
  });

  it('are shown again when the next table opens', async () => {
    toggleFact('length');
    closeTable();
    const opening = openTableEditor({ selection: { siteId: 's', ids: IDS }, count: 2, title: null });
    await bridge.take('manifest.table').answer(read(rowOf('a'), rowOf('b')));
    await opening;
    expect(cells()?.at(-1)).toBe('1:00');
    toggleFact('length');
  });
});
