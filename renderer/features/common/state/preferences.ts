import { withChanges, withUnknownEntries } from '../../../../shared/model/keep-unknown.ts';
import { storedJson } from './stored-json.ts';

/** Choices about the layout of the window. Their loss is harmless. */
interface Preferences {
  treeWidth: number;
  inspectorWidth: number;
  isSidebarOpen: boolean;
  isInspectorOpen: boolean;
  /** Whether the list of saved searches in the sidebar is open. */
  areSearchesOpen: boolean;
  expanded: string[];
  /** The account whose library was shown last. */
  siteId: string | null;
  /** The collection that was open last, by account. An account without an entry shows all media. */
  openCollections: Readonly<Record<string, string>>;
  mediaLayout: 'list' | 'grid';
  /** Whether the list of items shows a picture in each row. */
  hasListPictures: boolean;
  /** Whether the rows of the list of items have one line. */
  hasCompactRows: boolean;
  /** Whether the list of items shows its items in groups. */
  isListGrouped: boolean;
  calendarMode: 'month' | 'week';
  /** Whether the calendar shows the list of items without a date. */
  isUndatedOpen: boolean;
  /** The wanted width of a tile in the grid of items. */
  tileWidth: number;
  /** Columns of the list of items; see `storedColumns`. */
  mediaColumns: unknown;
  /** The order of the list of items; see `storedOrder`. */
  mediaOrder: unknown;
  /** Widths of columns that the user changed in tables for editing, by table and column. */
  gridWidths: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The speed of recordings; 1 is normal. */
  playbackRate: number;
  /** Whether the player shows captions, and in which language if there are several; null: no language was chosen. */
  captions: { isOn: boolean; language: string | null };
  /** Facts that the table of items shows; see `storedFacts`. */
  tableFacts: unknown;
  /** The columns of exports, in their order; null: the default ones. */
  exportColumns: unknown;
}

const KEY = 'mediadesk.preferences';
const DEFAULTS: Preferences = {
  treeWidth: 248,
  inspectorWidth: 340,
  isSidebarOpen: true,
  isInspectorOpen: true,
  areSearchesOpen: true,
  expanded: [],
  siteId: null,
  openCollections: {},
  mediaLayout: 'list',
  hasListPictures: false,
  hasCompactRows: false,
  isListGrouped: false,
  calendarMode: 'month',
  isUndatedOpen: true,
  tileWidth: 200,
  mediaColumns: null,
  mediaOrder: null,
  gridWidths: {},
  tableFacts: [],
  exportColumns: null,
  playbackRate: 1,
  captions: { isOn: true, language: null },
};

let current: Preferences | null = null;

export function preferences(): Preferences {
  current ??= read();
  return current;
}

/** Stores changed choices. Unknown parts of the stored ones, such as those of a newer version, are kept. */
export function savePreferences(change: Partial<Preferences>): void {
  current = { ...preferences(), ...change };
  try {
    const stored = (storedJson(KEY) ?? {}) as { expanded?: unknown };
    const expanded = withUnknownEntries(stored.expanded, (id) => typeof id === 'string', current.expanded);
    const next = { ...current, ...(change.expanded === undefined ? {} : { expanded }) };
    localStorage.setItem(KEY, JSON.stringify(withChanges(stored, validPreferences(stored), next)));
  } catch {
    // When the storage is full or not available, only these choices are lost.
  }
}

function read(): Preferences {
  return validPreferences(storedJson(KEY));
}

/** Returns the valid preferences of stored data, whatever version of the app wrote it. */
export function validPreferences(stored: unknown): Preferences {
  const from = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  const within = (value: unknown, min: number, max: number, fallback: number) =>
    typeof value === 'number' && value >= min && value <= max ? value : fallback;
  const width = (value: unknown, fallback: number) => within(value, 160, 900, fallback);
  return {
    treeWidth: width(from.treeWidth, DEFAULTS.treeWidth),
    inspectorWidth: width(from.inspectorWidth, DEFAULTS.inspectorWidth),
    isSidebarOpen: from.isSidebarOpen !== false,
    isInspectorOpen: from.isInspectorOpen !== false,
    areSearchesOpen: from.areSearchesOpen !== false,
    expanded: Array.isArray(from.expanded) ? from.expanded.filter((id) => typeof id === 'string').slice(0, 500) : [],
    siteId: typeof from.siteId === 'string' ? from.siteId : null,
    openCollections: validIds(from.openCollections),
    mediaLayout: from.mediaLayout === 'grid' ? 'grid' : 'list',
    hasCompactRows: from.hasCompactRows === true,
    hasListPictures: from.hasListPictures === true,
    isListGrouped: from.isListGrouped === true,
    calendarMode: from.calendarMode === 'week' ? 'week' : 'month',
    isUndatedOpen: from.isUndatedOpen !== false,
    tileWidth: within(from.tileWidth, 100, 600, DEFAULTS.tileWidth),
    mediaColumns: from.mediaColumns ?? null,
    mediaOrder: from.mediaOrder ?? null,
    gridWidths: validWidths(from.gridWidths),
    tableFacts: from.tableFacts ?? [],
    exportColumns: from.exportColumns ?? null,
    playbackRate: within(from.playbackRate, 0.25, 4, DEFAULTS.playbackRate),
    captions: validCaptions(from.captions),
  };
}

function validCaptions(stored: unknown): Preferences['captions'] {
  const from = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  return { isOn: from.isOn !== false, language: typeof from.language === 'string' ? from.language : null };
}

function validIds(stored: unknown): Preferences['openCollections'] {
  const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  return Object.fromEntries(entries.filter(([, id]) => typeof id === 'string' && id !== ''));
}

function validWidths(stored: unknown): Preferences['gridWidths'] {
  const entriesOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const isWidth = (width: unknown) => typeof width === 'number' && Number.isFinite(width) && width > 0;
  return Object.fromEntries(
    entriesOf(stored).map(([table, widths]) => [
      table,
      Object.fromEntries(entriesOf(widths).filter(([, width]) => isWidth(width))),
    ]),
  );
}
