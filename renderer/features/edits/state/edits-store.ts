import { create } from 'zustand';
import type {
  EditChoice,
  EditFilter,
  EditGroup,
  EditRow,
  EditRowsRef,
  EditsChange,
  EditTotals,
} from '../../../../shared/contract/edits.ts';
import type { AnyField } from '../../../../shared/model/edits/collection-ops.ts';
import { delayed } from '../../../kit/async/delayed.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { createWindowedList } from '../../../kit/lists/windowed-list.ts';
import { showView, useApp } from '../../common/state/app-store.ts';
import { attempt, notify } from '../../common/state/messages-store.ts';
import { isSettled } from './group-outcome.ts';
import { texts } from './texts.ts';

/** The lists of the view: items that need the user, items in one state, or all actions. */
export const EDITS_TABS = ['attention', 'pending', 'held', 'conflict', 'refused', 'done', 'history'] as const;
export type EditsTab = (typeof EDITS_TABS)[number];

interface EditsState {
  totals: EditTotals;
  /** The number of edits of all groups that are done. */
  sent: number;
  /** Groups with edits that are not sent yet, the newest first. */
  running: readonly EditGroup[];
  tab: EditsTab;
  /** The group whose items are shown; null: the items of all groups. */
  group: EditGroup | null;
  /** The item or collection whose edits are shown; null: the edits of all items and collections. */
  entity: EditedEntity | null;
  /** The list that a button outside the view opened: it stays open when the view appears. */
  asked: EditsTab | null;
}

/** An item or a collection with edits. */
export interface EditedEntity {
  siteId: string;
  entityKind: EditRow['entityKind'];
  entityId: string;
  name: string;
}

const NO_EDITS: EditTotals = { pending: 0, held: 0, conflict: 0, refused: 0 };

export const useEdits = create<EditsState>(() => ({
  totals: NO_EDITS,
  sent: 0,
  running: [],
  tab: 'history',
  group: null,
  entity: null,
  asked: null,
}));

/** All groups, the newest first. */
export const editGroups = createWindowedList<{ siteId: string | null }, EditGroup>({
  async load({ siteId }, window) {
    const { total, groups } = await call('edits.groups', { siteId, ...window });
    return { total, rows: groups };
  },
  idOf: (group) => group.id,
});

interface RowsQuery {
  groupId: string | null;
  filter: EditFilter;
  /** Only edits of this item or collection. */
  entity?: EditedEntity;
}

/** The items of a group, of all groups, or all edits of one item or collection. */
export const editRows = createWindowedList<RowsQuery, EditRow>({
  async load({ groupId, filter, entity }, window) {
    const { siteId, entityKind, entityId } = entity ?? {};
    const only = entityId === undefined ? {} : { siteId, entityKind, entityId };
    const isNewestFirst = filter === 'done';
    const { total, rows } = await call('edits.groupRows', { groupId, filter, isNewestFirst, ...only, ...window });
    return { total, rows };
  },
  idOf: (row) => row.id,
});

/** The number of items that need the user. */
export function attentionTotal({ held, conflict, refused }: EditTotals): number {
  return held + conflict + refused;
}

/** Loads the counts and the groups that are being sent. */
export function loadEditTotals(): Promise<void> {
  return attempt(async () => {
    const { groups, totals, sent } = await call('edits.groups', { isOpen: true, limit: 20 });
    useEdits.setState({ totals, sent, running: groups.filter((group) => !isSettled(group)) });
  });
}

const REFRESH_MS = 200;
const refreshLists = delayed(() => {
  if (useApp.getState().view !== 'edits') return;
  editGroups.refresh();
  editRows.refresh();
}, REFRESH_MS);

/** Stores an event of the journal of edits: the changed groups, and the totals. */
export function takeEdits({ groups, totals, sent }: EditsChange): void {
  const changed = new Map(groups.map((group) => [group.id, group]));
  useEdits.setState(({ running, group }) => {
    const rest = running.filter(({ id }) => !changed.has(id));
    const open = [...groups.filter((each) => !isSettled(each)), ...rest];
    return {
      totals,
      sent,
      running: totals.pending === 0 ? [] : open.sort((a, b) => b.createdAt - a.createdAt),
      group: group === null ? null : (changed.get(group.id) ?? group),
    };
  });
  refreshLists.schedule();
}

/** Opens a list of the view. */
export function openEdits(tab: EditsTab): void {
  useEdits.setState({ tab, group: null, entity: null, asked: null });
  editGroups.open(tab === 'history' ? { siteId: null } : null);
  editRows.open(tab === 'history' ? null : { groupId: null, filter: tab });
}

/** Shows the view with a list. */
export function showEdits(tab: EditsTab): void {
  openEdits(tab);
  useEdits.setState({ asked: tab });
  showView('edits');
}

/**
 * Called when the view appears: opens the edits that need the user, otherwise the history. The history of one item or collection,
 * or a list that a button opened, stays open.
 */
export function openEditsView(): void {
  const { entity, asked } = useEdits.getState();
  if (entity !== null || asked !== null) return;
  openEdits(attentionTotal(useEdits.getState().totals) > 0 ? 'attention' : 'history');
}

/** Shows the items of a group; null returns to the list of groups. */
export function showGroup(group: EditGroup | null): void {
  useEdits.setState({ group });
  editRows.open(group === null ? null : { groupId: group.id, filter: 'all' });
}

/** Shows all edits of one item or collection that were made on this computer. */
export function showHistory(entity: EditedEntity): void {
  useEdits.setState({ tab: 'history', group: null, entity });
  editGroups.open(null);
  editRows.open({ groupId: null, filter: 'all', entity });
  showView('edits');
}

/** Ends the history of one item or collection when the user leaves the view: the view opens as usual the next time. */
export function leaveHistory(): void {
  useEdits.setState({ entity: null, asked: null });
}

/** Returns a reference to the rows of the open list, for a command on all of them. */
export function shownRows(filter: EditFilter): EditRowsRef {
  return { groupId: useEdits.getState().group?.id ?? null, filter };
}

export function retryEdits(rows: EditRowsRef): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('edits.retry', rows);
    notify(changed === 0 ? texts.nothingChanged : texts.retried(changed));
  });
}

/** Sends a refused edit again with other texts. Returns whether it succeeded. */
export async function reviseEdit(rowId: string, values: Partial<Record<AnyField, string>>): Promise<boolean> {
  let isDone = false;
  await attempt(async () => {
    const { changed } = await call('edits.revise', { rowId, values });
    notify(changed === 0 ? texts.nothingChanged : texts.retried(changed));
    isDone = changed > 0;
  });
  return isDone;
}

export function dropEdits(rows: EditRowsRef): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('edits.drop', rows);
    notify(changed === 0 ? texts.nothingChanged : texts.droppedEdits(changed));
  });
}

/**
 * Decides edits that are held or in conflict. `field` null: all their fields that need a decision. Returns whether it succeeded.
 */
export async function resolveEdits(rows: EditRowsRef, field: AnyField | null, choice: EditChoice): Promise<boolean> {
  let isDone = false;
  await attempt(async () => {
    const { changed } = await call('edits.resolve', { rows, field, choice });
    notify(changed === 0 ? texts.nothingChanged : texts.resolved(changed));
    isDone = changed > 0;
  });
  return isDone;
}
