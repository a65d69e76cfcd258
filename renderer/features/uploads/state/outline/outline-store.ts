import { create } from 'zustand';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type { ListedBatch, UploadFilter, UploadRow } from '../../../../../shared/contract/uploads.ts';
import { countFor } from '../../../../../shared/model/uploads/upload-counts.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { NO_SELECTION, type Selection } from '../../../../kit/lists/selection.ts';
import { announce, attempt } from '../../../common/state/messages-store.ts';
import { texts } from '../texts.ts';
import { listedBatch, useUploads } from '../uploads-store.ts';
import { Outline, type OutlineBatch, type OutlinePlace, type RowHeights, type UploadPart } from './outline.ts';
import { arrangedOrder, keptOrder, outlineGroupOf } from './outline-order.ts';
import { UploadWindows } from './upload-windows.ts';

/** The tabs of the uploads view. */
export const TABS = [
  'all',
  'active',
  'waiting',
  'needs-decision',
  'failed',
  'complete',
] as const satisfies UploadFilter[];
export type UploadTab = (typeof TABS)[number];

interface OutlineState {
  tab: UploadTab;
  /**
   * The batches in the order of the list. The order stays the same while the view is open, so that no row jumps; see `arrange`.
   */
  order: readonly string[];
  /** The batches that are expanded unless the user chose otherwise. */
  expandedAtFirst: ReadonlySet<string>;
  /** The batches that the user expanded (true) or collapsed (false), by tab and batch; stored until the window closes. */
  choices: ReadonlyMap<string, boolean>;
  /** Batches whose skipped uploads are visible. */
  openSkipped: ReadonlySet<string>;
  /** Ids of the selected uploads. */
  selected: ReadonlySet<string>;
  /** The current row of the keyboard. */
  focus: OutlinePlace | null;
  /** The start of a range of selected rows. */
  anchor: OutlinePlace | null;
  /** The batch to scroll to when it is in the list. */
  revealed: string | null;
  /** Why rows could not be loaded. */
  error: AppErrorData | null;
}

const NOTHING_SELECTED = { selected: NO_SELECTION.ids, focus: null, anchor: null } as const;

export const useOutline = create<OutlineState>(() => ({
  tab: 'all',
  order: [],
  expandedAtFirst: new Set(),
  choices: new Map(),
  openSkipped: new Set(),
  ...NOTHING_SELECTED,
  revealed: null,
  error: null,
}));

export const uploadWindows = new UploadWindows((error) => useOutline.setState({ error }));

const HEIGHTS: RowHeights = { batch: 56, upload: 58, skipped: 36 };
/** The row heights with room for the data of the existing item in uploads that need a decision. */
const DECISION_HEIGHTS: RowHeights = { ...HEIGHTS, upload: 84 };

let cached: { batches: readonly ListedBatch[]; state: OutlineState; outline: Outline } | null = null;

/** Returns the current list: the same object until the rows of the list change. Progress of an upload changes no row. */
export function currentOutline(): Outline {
  const { batches } = useUploads.getState();
  const state = useOutline.getState();
  if (cached?.batches === batches && hasSameRows(cached.state, state)) return cached.outline;
  const heights = state.tab === 'needs-decision' ? DECISION_HEIGHTS : HEIGHTS;
  const shown = state.order.flatMap((id) => {
    const batch = listedBatch(id);
    return batch === undefined ? [] : shownBatch(batch, state);
  });
  const isSame = cached?.outline.heights === heights && cached.outline.shows(shown);
  const outline = cached !== null && isSame ? cached.outline : new Outline(shown, heights);
  cached = { batches, state, outline };
  return outline;
}

/** The current list as a hook. */
export function useCurrentOutline(): Outline {
  useOutline(currentOutline);
  return useUploads(currentOutline);
}

function hasSameRows(a: OutlineState, b: OutlineState): boolean {
  return a.order === b.order && a.tab === b.tab && a.choices === b.choices && a.openSkipped === b.openSkipped;
}

function shownBatch({ id, listed }: ListedBatch, state: OutlineState): OutlineBatch[] {
  const rows = countFor(filterOf(state.tab, 'rows'), listed);
  const skipped = state.tab === 'all' ? (listed.counts.skipped ?? 0) : 0;
  if (rows + skipped === 0) return [];
  return [{ id, rows, skipped, isExpanded: isExpanded(id, state), areSkippedOpen: state.openSkipped.has(id) }];
}

function isExpanded(batchId: string, { tab, choices, expandedAtFirst }: OutlineState): boolean {
  return choices.get(`${tab}/${batchId}`) ?? (tab !== 'all' || expandedAtFirst.has(batchId));
}

function filterOf(tab: UploadTab, part: UploadPart): UploadFilter {
  if (part === 'skipped') return 'skipped';
  return tab === 'all' ? 'unskipped' : tab;
}

/**
 * Sorts the batches and collapses batches that are over, unless the user expanded them. Called when the view or another tab is
 * opened; until the next call, batches keep their positions.
 */
export function arrange(): void {
  const { batches } = useUploads.getState();
  useOutline.setState({ order: arrangedOrder(batches), expandedAtFirst: expandedAtFirst(batches) });
}

/** Updates the list after batches changed: new batches are inserted at their sorted position, all others keep theirs. */
export function takeBatches(): void {
  const { batches } = useUploads.getState();
  const { order, expandedAtFirst: before } = useOutline.getState();
  const next = keptOrder(order, batches);
  if (next.length === order.length && next.every((id, index) => id === order[index])) return;
  const known = new Set(order);
  const added = expandedAtFirst(batches.filter(({ id }) => !known.has(id)));
  useOutline.setState({ order: next, expandedAtFirst: new Set([...before, ...added]) });
  for (const id of order) if (listedBatch(id) === undefined) uploadWindows.close(id);
}

function expandedAtFirst(batches: readonly ListedBatch[]): Set<string> {
  return new Set(batches.filter((batch) => outlineGroupOf(batch) !== 'over').map(({ id }) => id));
}

export function openTab(tab: UploadTab): void {
  if (tab !== useOutline.getState().tab) {
    uploadWindows.close();
    useOutline.setState({ tab, ...NOTHING_SELECTED, error: null });
  }
  arrange();
}

/** Expands or collapses a batch. Uploads that are no longer visible are deselected. */
export function expandBatch(batchId: string, isOpen: boolean): void {
  const { tab, choices, focus } = useOutline.getState();
  useOutline.setState({ choices: new Map(choices).set(`${tab}/${batchId}`, isOpen) });
  if (isOpen) return;
  deselectRowsOf(batchId);
  if (focus?.batchId === batchId) focusPlace({ kind: 'batch', batchId });
  uploadWindows.close(batchId);
}

/** Collapses every batch except this one. */
export function expandOnly(batchId: string): void {
  for (const { id } of currentOutline().sections) expandBatch(id, id === batchId);
  revealBatch(batchId);
}

export function showSkipped(batchId: string, isOpen: boolean): void {
  const openSkipped = new Set(useOutline.getState().openSkipped);
  if (isOpen) openSkipped.add(batchId);
  else openSkipped.delete(batchId);
  useOutline.setState({ openSkipped });
  if (!isOpen) focusPlace({ kind: 'skipped', batchId });
}

function deselectRowsOf(batchId: string): void {
  const { selected } = useOutline.getState();
  const { rows } = useUploads.getState();
  const left = [...selected].filter((id) => rows.get(id)?.batchId !== batchId);
  if (left.length < selected.size) useOutline.setState({ selected: new Set(left) });
}

/** In the tab of all uploads, expands a batch, scrolls to it and makes its header the current row. */
export function revealBatch(batchId: string): void {
  if (useOutline.getState().tab !== 'all') openTab('all');
  const { choices } = useOutline.getState();
  useOutline.setState({ choices: new Map(choices).set(`all/${batchId}`, true), revealed: batchId });
}

/** Makes a row the current one without changing the selection. */
export function focusPlace(place: OutlinePlace): void {
  useOutline.setState({ focus: place, anchor: place });
}

/** Returns the id of the upload at a row; undefined for headers and for rows that are not loaded. */
export function uploadIdAt(index: number): string | undefined {
  const place = currentOutline().placeAt(index);
  return place?.kind === 'upload' ? uploadWindows.idAt(place.batchId, place.part, place.at) : undefined;
}

export function uploadRowAt(index: number): UploadRow | undefined {
  const id = uploadIdAt(index);
  return id === undefined ? undefined : useUploads.getState().rows.get(id);
}

/** Returns the selection as row indexes of the list, the form that keys and clicks need. */
export function currentSelection(): Selection {
  const { selected, focus, anchor } = useOutline.getState();
  const outline = currentOutline();
  const indexOf = (place: OutlinePlace | null) => (place === null ? -1 : outline.indexOf(place));
  return { ids: selected, focus: indexOf(focus), anchor: indexOf(anchor) };
}

export function select({ ids, focus, anchor }: Selection): void {
  const outline = currentOutline();
  useOutline.setState({
    selected: ids,
    focus: outline.placeAt(focus) ?? null,
    anchor: outline.placeAt(anchor) ?? null,
  });
}

/** Selects uploads by their ids, whether they are visible or not. */
export function selectUploads(ids: readonly string[]): void {
  useOutline.setState({ selected: new Set(ids) });
}

export function deselect(): void {
  useOutline.setState({ selected: NO_SELECTION.ids, anchor: null });
}

/** Reports the first and the last visible row of the list, both included: missing rows are loaded. */
export function showRows(first: number, last: number): void {
  for (const range of partsIn(first, last)) {
    uploadWindows.show(range.batchId, range.part, filterOf(useOutline.getState().tab, range.part), range);
  }
}

/** Resolves when the uploads from `first` to `last` are loaded, or failed to load. */
export async function loadRows(first: number, last: number): Promise<void> {
  const { tab } = useOutline.getState();
  await Promise.all(
    partsIn(first, last).map((range) =>
      uploadWindows.loadRange(range.batchId, range.part, filterOf(tab, range.part), range.first, range.last),
    ),
  );
}

interface PartRange {
  batchId: string;
  part: UploadPart;
  first: number;
  last: number;
}

/** The uploads of each part of each batch between two rows. */
function partsIn(first: number, last: number): PartRange[] {
  const ranges: PartRange[] = [];
  for (const section of currentOutline().sectionsIn(first, last)) {
    if (!section.isExpanded) continue;
    const { id: batchId, rows, skipped } = section;
    const part = (name: UploadPart, begin: number, count: number) => {
      const range = { first: Math.max(0, first - begin), last: Math.min(count - 1, last - begin) };
      if (range.first <= range.last) ranges.push({ batchId, part: name, ...range });
    };
    part('rows', section.first + 1, rows);
    if (section.areSkippedOpen) part('skipped', section.first + 2 + rows, skipped);
  }
  return ranges;
}

/** The maximum number of uploads that a command can name. */
const MAX_SELECTED = 100_000;

/**
 * Selects every upload of the expanded batches, or of one batch. Uploads of collapsed batches are not selected, because the user
 * does not see them.
 */
export async function selectAllUploads(batchId?: string): Promise<void> {
  const { tab } = useOutline.getState();
  const sections = currentOutline().sections.filter(({ id, isExpanded: isOpen }) =>
    batchId === undefined ? isOpen : id === batchId,
  );
  if (sections.length === 0) {
    announce(texts.nothingExpanded);
    return;
  }
  await attempt(async () => {
    const ids = new Set<string>();
    for (const { id } of sections) {
      if (ids.size >= MAX_SELECTED) break;
      const answer = await call('uploads.ids', { filter: filterOf(tab, 'rows'), batchId: id });
      for (const each of answer.ids) if (ids.size < MAX_SELECTED) ids.add(each);
    }
    if (useOutline.getState().tab === tab) useOutline.setState({ selected: ids });
  });
}
