import { memo } from 'react';
import type { MediaRow } from '../../../shared/contract/library.ts';
import { localDayAndTime } from '../../../shared/model/calendar/calendar-times.ts';
import { classes } from '../../kit/components/button.tsx';
import { Glyph } from '../../kit/components/glyph.tsx';
import { mediaLook } from '../../kit/text/states.ts';
import { PendingMark } from '../common/pending-mark.tsx';
import { showItem } from '../library/state/files/show-item.ts';
import { useInspector } from '../library/state/inspector-store.ts';
import styles from './calendar.module.css';
import { beginDrag } from './state/calendar-drag.ts';
import { MORE } from './state/calendar-keys.ts';
import { goTo, type Slot, selectItem, useCalendar } from './state/calendar-store.ts';
import { openEntryMenu } from './state/entry-menu-store.ts';
import { calendarTimeText } from './state/reschedule.ts';
import { listSlot, shownOf } from './state/shown-entries.ts';
import { texts as dates } from './state/texts.ts';
import { texts } from './texts.ts';

interface SlotEntriesProps {
  day: string;
  /** null: a slot of the month. */
  hour: number | null;
  slot: Slot;
  /** The number of lines that fit. */
  most: number;
  /** The item with the keyboard focus, if it is in this slot; see `currentIn`. */
  currentId: string | null;
}

/** The items of a slot that fit into its cell, and a button that lists all of them. */
export function SlotEntries({ day, hour, slot, most, currentId }: SlotEntriesProps) {
  const { rows, more } = shownOf(slot, most);
  return (
    <>
      {rows.map((row) => (
        <Entry key={row.id} row={row} day={day} hour={hour} isCurrent={currentId === row.id} />
      ))}
      {more === 0 ? null : (
        <button
          type="button"
          className={styles.more}
          tabIndex={currentId === MORE ? 0 : -1}
          onFocus={() => noteFocus(day, hour, MORE)}
          onClick={() => listSlot(day, hour ?? 0)}
          {...(currentId === MORE ? { 'data-current': '' } : {})}
        >
          {dates.more(more)}
        </button>
      )}
    </>
  );
}

interface EntryProps {
  row: MediaRow;
  day: string;
  hour: number | null;
  isCurrent: boolean;
}

const Entry = memo(function Entry({ row, day, hour, isCurrent }: EntryProps) {
  const timeZone = useCalendar((state) => state.timeZone);
  const isSelected = useInspector(
    (state) => state.mediaId === row.id && state.siteId === useCalendar.getState().siteId,
  );
  const look = mediaLook(row.status);
  const time =
    row.publishOn === null ? '' : calendarTimeText(localDayAndTime(Date.parse(row.publishOn), timeZone).time);
  const title = row.title || texts.entry.untitled;
  const siteId = useCalendar((state) => state.siteId);
  return (
    <button
      type="button"
      className={classes(styles.entry, styles[look.tone])}
      tabIndex={isCurrent ? 0 : -1}
      data-item={row.id}
      data-state={row.status}
      title={texts.entry.label(time, title, look.word)}
      aria-pressed={isSelected}
      onFocus={() => noteFocus(day, hour, row.id)}
      onMouseDown={(event) => {
        if (event.button === 0) beginDrag(event, row);
      }}
      onClick={() => selectItem(row)}
      onDoubleClick={() => {
        if (siteId !== null) void showItem({ siteId, mediaId: row.id });
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        selectItem(row);
        openEntryMenu(row, { x: event.clientX, y: event.clientY });
      }}
      {...(isCurrent ? { 'data-current': '' } : {})}
    >
      <Glyph name={look.icon} size={12} />
      <span className={styles.time}>{time}</span>
      <span className={styles.entryTitle}>{title}</span>
      <span className="visually-hidden">{look.word}</span>
      <PendingMark row={row} isSmall />
    </button>
  );
});

function noteFocus(day: string, hour: number | null, itemId: string): void {
  const { place } = useCalendar.getState();
  if (place.day === day && place.itemId === itemId && (hour === null || place.hour === hour)) return;
  goTo({ day, hour: hour ?? place.hour, itemId });
}
