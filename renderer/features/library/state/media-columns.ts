import { create } from 'zustand';
import type { ListSort } from '../../../../shared/contract/library.ts';
import { withChanges, withUnknownEntries } from '../../../../shared/model/keep-unknown.ts';
import { preferences, savePreferences } from '../../common/state/preferences.ts';

/** The columns of the list in their order. The title is always shown, and takes the width that the other columns leave. */
export const COLUMN_IDS = [
  'title',
  'collection',
  'type',
  'status',
  'length',
  'size',
  'captions',
  'byline',
  'created_on',
  'modified_on',
  'publish_on',
  'views',
  'likes',
  'comments',
  'tags',
] as const;

export type ColumnId = (typeof COLUMN_IDS)[number];

interface ColumnSpec {
  /** CSS pixels. */
  width: number;
  min: number;
  /** The order by this column. */
  sort: ListSort;
  /** The rank in which the column is hidden when the list is too narrow: 1 is hidden first; null: never hidden. */
  goes: number | null;
}

const DATE: Pick<ColumnSpec, 'width' | 'min'> = { width: 92, min: 64 };
const COUNT: Pick<ColumnSpec, 'width' | 'min'> = { width: 84, min: 56 };
export const COLUMNS: Readonly<Record<ColumnId, ColumnSpec>> = {
  title: { width: 200, min: 140, sort: 'title', goes: null },
  collection: { width: 150, min: 70, sort: 'collection', goes: 11 },
  type: { width: 84, min: 56, sort: 'type', goes: 8 },
  status: { width: 100, min: 56, sort: 'status', goes: null },
  length: { width: 66, min: 56, sort: 'duration', goes: 12 },
  size: { width: 80, min: 56, sort: 'size', goes: 7 },
  captions: { width: 80, min: 56, sort: 'captions', goes: 3 },
  byline: { width: 140, min: 70, sort: 'byline', goes: 2 },
  created_on: { ...DATE, sort: 'created_on', goes: 13 },
  modified_on: { ...DATE, sort: 'modified_on', goes: 10 },
  publish_on: { ...DATE, sort: 'publish_on', goes: 9 },
  views: { ...COUNT, sort: 'popularity', goes: 6 },
  likes: { ...COUNT, sort: 'likes', goes: 4 },
  comments: { ...COUNT, sort: 'comments', goes: 5 },
  tags: { width: 170, min: 70, sort: 'tags', goes: 1 },
};

const DEFAULT_COLUMNS: readonly ColumnId[] = ['title', 'status', 'length', 'created_on', 'tags'];
const MAX_WIDTH = 600;
/**
 * The space between columns; and the widths of the menu button after them, and the row padding.
 */
const GAP = 14;
const AROUND = GAP + GAP + 24 + 2 * 12;
/** The width before the columns: of the icon of the type, or of the picture. */
const FIRST_WIDTH = { icon: 26, picture: 54 };
/**
 * Below this width, the list never scrolls sideways: columns are hidden to leave room for the title, and some are shown below it.
 */
const NARROW = 520;
const TINY = 420;
const STATUS_ICON = 16;
const BELOW_TITLE = [
  'created_on',
  'modified_on',
  'publish_on',
  'length',
  'byline',
] as const satisfies readonly ColumnId[];

/** A column whose value a narrow list shows in a second line, below the title. */
export type BelowId = (typeof BELOW_TITLE)[number];

/**
 * In a list that is wider than this, the column of tags grows in steps, unless the user chose the columns or the width of the
 * tags.
 */
const WIDE = 1000;
const WIDE_STEP = 100;
const TAGS_STEP = 40;
const MOST_TAGS_STEPS = 4;
/** The columns that are hidden in a narrow list, in this order. */
const FIRST_TO_GO: readonly ColumnId[] = COLUMN_IDS.filter((id) => COLUMNS[id].goes !== null).sort(
  (one, other) => (COLUMNS[one].goes ?? 0) - (COLUMNS[other].goes ?? 0),
);

interface MediaColumnsState {
  /** The columns that the user chose; null: the default columns, which are hidden when the title needs their room. */
  chosen: readonly ColumnId[] | null;
  widths: Readonly<Partial<Record<ColumnId, number>>>;
}

/** The columns that the user chose, and their widths. Stored for the next start. */
export const useMediaColumns = create<MediaColumnsState>(() => storedColumns(preferences().mediaColumns));

/** Returns the valid part of stored columns, whatever version of the app wrote them. */
export function storedColumns(stored: unknown): MediaColumnsState {
  const { chosen, widths } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  const valid: Partial<Record<ColumnId, number>> = {};
  for (const id of COLUMN_IDS) {
    const width = (widths as Record<string, unknown> | undefined)?.[id];
    if (typeof width === 'number' && Number.isFinite(width)) valid[id] = clampWidth(id, width);
  }
  return { chosen: Array.isArray(chosen) ? inOrder(chosen) : null, widths: valid };
}

/** Returns a stored order of the list; the newest items first when there is none that this version knows. */
export function storedOrder(stored: unknown): ListOrder {
  const { sort, order } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  const column = Object.values(COLUMNS).find((each) => each.sort === sort);
  if (column === undefined) return { sort: 'created_on', order: 'desc' };
  return { sort: column.sort, order: order === 'asc' ? 'asc' : 'desc' };
}

export interface ListOrder {
  sort: ListSort;
  order: 'asc' | 'desc';
}

function inOrder(ids: readonly unknown[]): ColumnId[] {
  return COLUMN_IDS.filter((id) => id === 'title' || ids.includes(id));
}

function clampWidth(id: ColumnId, width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(COLUMNS[id].min, width)));
}

function save(state: Partial<MediaColumnsState>): void {
  useMediaColumns.setState(state);
  savePreferences({ mediaColumns: withColumns(preferences().mediaColumns, useMediaColumns.getState()) });
}

/** Returns stored columns with a change applied. Columns that this version doesn't know keep their position. */
function withColumns(stored: unknown, { chosen, widths }: MediaColumnsState): unknown {
  const changed = withChanges(stored ?? {}, storedColumns(stored), { chosen, widths }) as { chosen?: unknown };
  if (chosen === null || changed.chosen !== chosen) return changed;
  return {
    ...changed,
    chosen: withUnknownEntries((stored as { chosen?: unknown } | null)?.chosen, isColumnId, chosen),
  };
}

function isColumnId(id: unknown): id is ColumnId {
  return (COLUMN_IDS as readonly unknown[]).includes(id);
}

/** Shows a column, or hides it. */
export function toggleColumn(id: ColumnId): void {
  const now = useMediaColumns.getState().chosen ?? DEFAULT_COLUMNS;
  save({ chosen: inOrder(now.includes(id) ? now.filter((each) => each !== id) : [...now, id]) });
}

/** Sets the width of a column in CSS pixels. During a drag, `isEnd` is false, and the width is not stored yet. */
export function resizeColumn(id: ColumnId, width: number, isEnd: boolean): void {
  const widths = { ...useMediaColumns.getState().widths, [id]: clampWidth(id, width) };
  if (isEnd) save({ widths });
  else useMediaColumns.setState({ widths });
}

export function columnWidthOf(id: ColumnId): number {
  return useMediaColumns.getState().widths[id] ?? COLUMNS[id].width;
}

/** Resets a column to its default width. */
export function resetWidth(id: ColumnId): void {
  const { [id]: _dropped, ...widths } = useMediaColumns.getState().widths;
  save({ widths });
}

export function resetColumns(): void {
  save({ chosen: null, widths: {} });
}

export function isColumnShown({ chosen }: MediaColumnsState, id: ColumnId): boolean {
  return (chosen ?? DEFAULT_COLUMNS).includes(id);
}

export interface FittedColumns {
  shown: readonly ColumnId[];
  /** The columns whose values are shown below the title; empty in a list that is not narrow. */
  below: readonly BelowId[];
  /** For `grid-template-columns`. */
  template: string;
  /** The width of the column of tags; null or 0 when the column is hidden. */
  tagsWidth: number;
  /** The least width of a row; a narrower list scrolls sideways. */
  minWidth: number;
}

/**
 * Returns the columns to draw in a list of a given width. All chosen columns are drawn, and the list scrolls sideways when they
 * don't fit. Default columns, and all columns of a narrow list, are hidden when the title needs their room. In a narrow list, the
 * date and the length are below the title. A list that is sorted by a date shows that date.
 */
export function fitColumns(
  { chosen, widths }: MediaColumnsState,
  sort: string,
  available: number,
  hasPictures = false,
): FittedColumns {
  const firstTrack = hasPictures ? FIRST_WIDTH.picture : FIRST_WIDTH.icon;
  const wanted = chosen ?? DEFAULT_COLUMNS.map((id) => (id === 'created_on' && isDate(sort) ? sort : id));
  const below = available < NARROW ? BELOW_TITLE.filter((id) => wanted.includes(id)) : [];
  let shown = inOrder(wanted.filter((id) => !(below as readonly ColumnId[]).includes(id)));
  const titleWidth = Math.min(widths.title ?? COLUMNS.title.width, Math.max(COLUMNS.title.min, available / 3));
  const steps = Math.max(0, Math.min(MOST_TAGS_STEPS, Math.floor((available - WIDE) / WIDE_STEP)));
  const firstWidth = (id: ColumnId) => COLUMNS[id].width + (id === 'tags' && chosen === null ? steps * TAGS_STEP : 0);
  const room = (id: ColumnId) => (id === 'status' && available <= TINY ? STATUS_ICON : (widths[id] ?? firstWidth(id)));
  const needed = () =>
    AROUND +
    firstTrack +
    titleWidth +
    shown.filter((id) => id !== 'title').reduce((sum, id) => sum + room(id) + GAP, 0);
  if (chosen === null || available < NARROW) {
    for (const id of FIRST_TO_GO) {
      if (needed() <= available) break;
      shown = shown.filter((each) => each !== id);
    }
  }
  const tracks = shown.map((id) =>
    id === 'title' ? `minmax(${available < NARROW ? 0 : COLUMNS.title.min}px,1fr)` : `${room(id)}px`,
  );
  const isScrolled = chosen !== null && available >= NARROW;
  return {
    shown,
    below,
    template: [`${firstTrack}px`, ...tracks, '24px'].join(' '),
    tagsWidth: room('tags'),
    minWidth: isScrolled ? Math.ceil(needed()) : 0,
  };
}

function isDate(sort: string): sort is 'created_on' | 'modified_on' | 'publish_on' {
  return sort === 'created_on' || sort === 'modified_on' || sort === 'publish_on';
}

export type MediaLayout = 'list' | 'grid';

/** The limits of the tile width that the user can choose, in CSS pixels. */
export const TILE_WIDTH = { min: 140, max: 360, step: 20 } as const;

/** The layout in which the items of the library are shown. Stored for the next start. */
export const useMediaLayout = create<{
  layout: MediaLayout;
  tileWidth: number;
  hasPictures: boolean;
  isCompact: boolean;
}>(() => {
  const { mediaLayout, tileWidth, hasListPictures, hasCompactRows } = preferences();
  return { layout: mediaLayout, tileWidth, hasPictures: hasListPictures, isCompact: hasCompactRows };
});

export function showLayout(layout: MediaLayout): void {
  useMediaLayout.setState({ layout });
  savePreferences({ mediaLayout: layout });
}

/** Shows a picture in each row of the list, or the icon of its type. */
export function togglePictures(): void {
  const hasPictures = !useMediaLayout.getState().hasPictures;
  useMediaLayout.setState({ hasPictures });
  savePreferences({ hasListPictures: hasPictures });
}

/** Gives the rows of the list one line or two. */
export function toggleCompact(): void {
  const isCompact = !useMediaLayout.getState().isCompact;
  useMediaLayout.setState({ isCompact });
  savePreferences({ hasCompactRows: isCompact });
}

/** Changes the size of the tiles. During a drag, `isEnd` is false, and the size is not stored yet. */
export function resizeTiles(tileWidth: number, isEnd: boolean): void {
  useMediaLayout.setState({ tileWidth });
  if (isEnd) savePreferences({ tileWidth });
}
