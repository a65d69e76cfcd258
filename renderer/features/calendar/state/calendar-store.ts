import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { Calendar } from '../../../../shared/contract/calendar.ts';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { type WeekStart, withinCalendar } from '../../../../shared/model/calendar/calendar-days.ts';
import { localDayAndTime } from '../../../../shared/model/calendar/calendar-times.ts';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { useApp } from '../../common/state/app-store.ts';
import { preferences, savePreferences } from '../../common/state/preferences.ts';
import { inspect } from '../../library/state/inspector-store.ts';
import { deselectMedia } from '../../library/state/selection/media-selection.ts';
import { useTree } from '../../library/state/tree-store.ts';
import { type CalendarPlace, pageBy } from './calendar-keys.ts';
import { listUndated } from './slot-lists.ts';
import { type CalendarMode, placeOfSlot, slotIndex, type VisibleRange, visibleRange } from './visible-range.ts';

export type Slot = Calendar['slots'][number];

interface CalendarState {
  siteId: string | null;
  /** Only items in this collection and below it; null: all items. */
  collection: { id: string; name: string } | null;
  timeZone: string;
  place: CalendarPlace;
  range: VisibleRange;
  /** The items that were loaded last, and what they are of, as `keyOf` names it; null: none. */
  loaded: { key: string; slots: readonly Slot[] } | null;
  /** There is no complete copy of the library on this computer. */
  hasNoCopy: boolean;
  /** Why the items couldn't be loaded, or loaded again. */
  error: AppErrorData | null;
  /** Increases when the keyboard focus has to move to `place`. */
  focusRequests: number;
  /** Whether the list of items without a date is open. */
  isUndatedOpen: boolean;
}

/** The most rows of a slot that are loaded: no cell shows more. */
const SLOT_ROWS = { month: 12, week: 2 } as const;
const FIRST_SHOWN_HOUR = 9;
const NO_SLOT: Slot = { count: 0, rows: [] };

/** The calendar of the open account. */
export const useCalendar = create<CalendarState>(() => {
  const timeZone = localTimeZone();
  const place = { ...nowIn(timeZone), hour: FIRST_SHOWN_HOUR, itemId: null };
  const { calendarMode, isUndatedOpen } = preferences();
  return {
    siteId: null,
    collection: null,
    timeZone,
    place,
    isUndatedOpen,
    range: visibleRange(calendarMode, place.day, weekStart(), timeZone),
    loaded: null,
    hasNoCopy: false,
    error: null,
    focusRequests: 0,
  };
});

/** Returns the day with which the system begins weeks. */
export function weekStart(): WeekStart {
  return useApp.getState().info?.weekStart ?? 1;
}

/** Returns the present day in a time zone. */
export function today(nowMs: number, timeZone: string): string {
  return withinCalendar(localDayAndTime(nowMs, timeZone).day);
}

function nowIn(timeZone: string): { day: string } {
  return { day: today(Date.now(), timeZone) };
}

type Listed = Pick<CalendarState, 'siteId' | 'collection' | 'range'>;

/** Equal for states that list the same items in the same slots. */
function keyOf({ siteId, collection, range }: Listed): string {
  return JSON.stringify([siteId, collection?.id ?? null, range.key]);
}

/** Returns the items of the visible slots; null while those of the present account, collection and days are not loaded. */
export function currentSlots(state: Listed & Pick<CalendarState, 'loaded'>): readonly Slot[] | null {
  return state.loaded?.key === keyOf(state) ? state.loaded.slots : null;
}

/** Returns the items of a visible slot; none while they are not loaded. `slots`: those of `currentSlots`. */
export function slotAt(range: VisibleRange, slots: readonly Slot[] | null, day: string, hour: number): Slot {
  return slots?.[slotIndex(range, day, hour)] ?? NO_SLOT;
}

/** Returns a loaded row of the visible items. */
export function rowOfItem(state: CalendarState, id: string | null): MediaRow | null {
  if (id === null) return null;
  for (const { rows } of currentSlots(state) ?? []) {
    const row = rows.find((each) => each.id === id);
    if (row !== undefined) return row;
  }
  return null;
}

const reads = latestOnly();

/** Prepares the calendar when its view opens: for the open account and for the collection that is selected in the sidebar. */
export function enterCalendar(): void {
  const { siteId } = useApp.getState();
  const { selectedId, rows } = useTree.getState();
  const row = selectedId === null ? undefined : rows.get(selectedId);
  const before = useCalendar.getState();
  const timeZone = localTimeZone();
  useCalendar.setState({
    siteId,
    timeZone,
    collection: row === undefined ? null : { id: row.id, name: row.displayName },
    range: visibleRange(before.range.mode, before.place.day, weekStart(), timeZone),
    ...(before.siteId === siteId ? {} : { hasNoCopy: false }),
    error: null,
  });
  deselectMedia();
  refreshCalendar();
}

/** Loads the visible items again. The shown ones stay until then. */
export function refreshCalendar(): void {
  void loadCalendar();
  listUndated(useCalendar.getState());
}

/**
 * Loads the items of the visible range. An answer for another range, collection or account is dropped. After a failure, the items
 * that were loaded before stay.
 */
export async function loadCalendar(): Promise<void> {
  const listed = useCalendar.getState();
  const { siteId, collection, range } = listed;
  if (siteId === null) return;
  const read = reads.begin();
  const key = keyOf(listed);
  const isShown = () => keyOf(useCalendar.getState()) === key && read.accept();
  const query = {
    siteId,
    collectionId: collection?.id ?? null,
    instants: [...range.instants],
    rows: SLOT_ROWS[range.mode],
  };
  try {
    const calendar = await call('library.calendar', { query });
    if (!isShown()) return;
    const loaded = calendar === null ? null : { key, slots: calendar.slots };
    const place = placeInSlots(useCalendar.getState().place, range, calendar?.slots ?? []);
    useCalendar.setState({ loaded, place, hasNoCopy: calendar === null, error: null });
  } catch (thrown) {
    if (isShown()) useCalendar.setState({ error: toErrorData(thrown), hasNoCopy: false });
  }
}

/** Returns the place of the keyboard focus after a load: with its item, if that is in another slot now. */
function placeInSlots(place: CalendarPlace, range: VisibleRange, slots: readonly Slot[]): CalendarPlace {
  const { itemId } = place;
  const holds = ({ rows }: Slot) => rows.some(({ id }) => id === itemId);
  const own = slots[slotIndex(range, place.day, place.hour)];
  if (itemId === null || (own !== undefined && holds(own))) return place;
  const found = placeOfSlot(range, slots.findIndex(holds));
  return found === null ? place : { day: found.day, hour: found.hour ?? place.hour, itemId };
}

/** `focuses`: the keyboard focus moves to the place. `turns`: the month of the place is shown even if another one shows its day. */
interface GoOptions {
  focuses?: boolean;
  turns?: boolean;
}

/** Moves to a place; loads its month or week when the place is not visible. */
export function goTo(to: CalendarPlace, { focuses = false, turns = false }: GoOptions = {}): void {
  const { range, timeZone } = useCalendar.getState();
  const isVisible = slotIndex(range, to.day, to.hour) >= 0;
  const next = isVisible && !turns ? range : visibleRange(range.mode, to.day, weekStart(), timeZone);
  const isOther = next.key !== range.key;
  useCalendar.setState(({ focusRequests }) => ({
    place: to,
    focusRequests: focusRequests + (focuses ? 1 : 0),
    ...(isOther ? { range: next, error: null } : {}),
  }));
  if (isOther) void loadCalendar();
}

/** Shows the next (1) or the previous (-1) month or week. */
export function turnPage(by: 1 | -1): void {
  const { range, place } = useCalendar.getState();
  goTo({ ...place, day: pageBy({ mode: range.mode, place }, by), itemId: null }, { turns: true });
}

export function showToday(): void {
  const { place, timeZone } = useCalendar.getState();
  goTo({ ...place, ...nowIn(timeZone), itemId: null }, { turns: true });
}

export function showMode(mode: CalendarMode): void {
  const { place, timeZone } = useCalendar.getState();
  savePreferences({ calendarMode: mode });
  useCalendar.setState({ range: visibleRange(mode, place.day, weekStart(), timeZone), error: null });
  void loadCalendar();
}

/** Shows only the items in a collection and below it; null: all items. */
export function filterByCollection(collection: CalendarState['collection']): void {
  useCalendar.setState({ collection, error: null });
  refreshCalendar();
}

export function toggleUndated(): void {
  const isUndatedOpen = !useCalendar.getState().isUndatedOpen;
  savePreferences({ isUndatedOpen });
  useCalendar.setState({ isUndatedOpen });
}

/** Selects an item of the calendar: the inspector shows it. */
export function selectItem(row: MediaRow): void {
  deselectMedia();
  inspect(useCalendar.getState().siteId, row.id);
}
