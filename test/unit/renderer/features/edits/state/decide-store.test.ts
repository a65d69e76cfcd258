// The edits that the dialog about a conflict decides: a single edit, or all edits that it counted.
import { beforeEach, expect, it } from 'vitest';
import {
  openDecision,
  saveDecision,
  useDecision,
} from '../../../../../../renderer/features/edits/state/decide-store.ts';
import type { EditRow } from '../../../../../../shared/contract/edits.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

const change = (field: 'title' | 'byline') => ({
  field,
  before: 'was',
  after: 'mine',
  theirs: 'theirs',
  needsDecision: true,
});
const ROW: EditRow = {
  id: '7',
  groupId: 'g',
  siteId: 'one',
  entityKind: 'media',
  entityId: 'i',
  name: 'Talk',
  state: 'conflict',
  changes: [change('title'), change('byline')],
  error: null,
  attempts: 0,
  nextAt: null,
  createdAt: 1,
  endedAt: null,
};

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
});

it('a decision for all applies exactly to the edits that the dialog counted, and to no later edit', async () => {
  openDecision(ROW);
  const asked = bridge.take('edits.sameQuestion');
  expect(asked.input).toEqual({ rowId: '7', field: 'title' });
  await asked.answer({ ids: ['7', '9'] });
  expect(useDecision.getState().sameIds).toEqual(['7', '9']);
  const saved = saveDecision({ row: ROW, field: 'title', choice: { kind: 'theirs' }, isForAll: true });
  // They are not counted again, so an edit that followed is not among them.
  expect(bridge.waiting).toEqual(['edits.resolve']);
  const resolved = bridge.take('edits.resolve');
  expect(resolved.input).toMatchObject({ rows: { ids: ['7', '9'] }, field: 'title' });
  await resolved.answer({ changed: 2 });
  await saved;
  // The dialog then asks about the next field, whose equal conflicts are counted separately.
  expect(useDecision.getState()).toMatchObject({ row: ROW, at: 1, sameIds: [] });
  expect(bridge.take('edits.sameQuestion').input).toEqual({ rowId: '7', field: 'byline' });
});

it('a decision before the count arrives applies to its own edit only, and the late count is ignored', async () => {
  openDecision(ROW);
  const late = bridge.take('edits.sameQuestion');
  const saved = saveDecision({ row: ROW, field: 'title', choice: { kind: 'mine' }, isForAll: true });
  const resolved = bridge.take('edits.resolve');
  expect(resolved.input).toMatchObject({ rows: { ids: ['7'] } });
  await resolved.answer({ changed: 1 });
  await saved;
  await late.answer({ ids: ['7', '9'] });
  expect(useDecision.getState()).toMatchObject({ at: 1, sameIds: [] });
});

it('a decision about an edit of another account ignores the late count of the edit that was shown before', async () => {
  const other = { ...ROW, id: '8', siteId: 'two' };
  openDecision(ROW);
  const late = bridge.take('edits.sameQuestion');
  openDecision(other);
  const asked = bridge.take('edits.sameQuestion');
  expect(asked.input).toEqual({ rowId: '8', field: 'title' });
  await late.answer({ ids: ['7', '9'] });
  expect(useDecision.getState()).toMatchObject({ row: other, sameIds: [] });
  await asked.answer({ ids: ['8'] });
  void saveDecision({ row: other, field: 'title', choice: { kind: 'theirs' }, isForAll: true });
  expect(bridge.take('edits.resolve').input).toMatchObject({ rows: { ids: ['8'] }, field: 'title' });
});

it('a drop applies only to the counted edits', async () => {
  openDecision(ROW);
  await bridge.take('edits.sameQuestion').answer({ ids: ['7'] });
  const saved = saveDecision({ row: ROW, field: 'title', choice: { kind: 'drop' }, isForAll: true });
  const dropped = bridge.take('edits.drop');
  expect(dropped.input).toEqual({ ids: ['7'] });
  await dropped.answer({ changed: 1 });
  await saved;
  expect(useDecision.getState().row).toBeNull();
});
