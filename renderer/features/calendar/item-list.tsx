import { useCallback } from 'react';
import type { MediaQuery, MediaRow } from '../../../shared/contract/library.ts';
import { localDayAndTime } from '../../../shared/model/calendar/calendar-times.ts';
import { Cell } from '../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../kit/components/list/windowed-grid.tsx';
import { RowMenu } from '../../kit/components/overlay/menu.tsx';
import { StateChip } from '../../kit/components/status/state-chip.tsx';
import type { WindowedList } from '../../kit/lists/windowed-list.ts';
import { mediaLook } from '../../kit/text/states.ts';
import { PendingMark } from '../common/pending-mark.tsx';
import { loadRightsTo, useKnownRights } from '../library/state/selection/rights-store.ts';
import styles from './calendar.module.css';
import { entryGroups } from './entry-menu.tsx';
import { useCalendar } from './state/calendar-store.ts';
import { calendarTimeText, targetOfItem } from './state/reschedule.ts';
import { texts } from './texts.ts';

interface ItemListProps {
  list: WindowedList<MediaQuery, MediaRow>;
  label: string;
  errorTitle: string;
  empty: string;
  hasTimes: boolean;
  onActivate: (row: MediaRow) => void;
  /** Called at a mouse-down on an item that may begin a drag. */
  onDown?: (event: React.MouseEvent, row: MediaRow) => void;
}

const ROW_HEIGHT = 40;

/** A list of items of any length: of one slot, or without a date. */
export function ItemList({ list, label, errorTitle, empty, hasTimes, onActivate, onDown }: ItemListProps) {
  const renderRow = useCallback(
    (index: number) => <ItemCells row={list.rowAt(index)} hasTime={hasTimes} />,
    [list, hasTimes],
  );
  return (
    <WindowedGrid
      list={list}
      label={label}
      rowHeight={ROW_HEIGHT}
      rowClass={styles.listRow}
      columnCount={hasTimes ? 4 : 3}
      isSingle
      renderRow={renderRow}
      errorTitle={errorTitle}
      empty={<p className={styles.empty}>{empty}</p>}
      onActivate={(index) => {
        const row = list.rowAt(index);
        if (row !== undefined) onActivate(row);
      }}
      {...(onDown === undefined
        ? {}
        : {
            onDragStart: (event: React.MouseEvent) => {
              const index = (event.target as Element).closest<HTMLElement>('[data-index]')?.dataset.index;
              const row = index === undefined ? undefined : list.rowAt(Number(index));
              if (row !== undefined) onDown(event, row);
            },
          })}
    />
  );
}

function ItemCells({ row, hasTime }: { row: MediaRow | undefined; hasTime: boolean }) {
  const siteId = useCalendar((state) => state.siteId);
  const timeZone = useCalendar((state) => state.timeZone);
  useKnownRights();
  if (row === undefined || siteId === null) return <Cell />;
  const title = row.title || texts.entry.untitled;
  return (
    <>
      {hasTime ? (
        <Cell className={styles.time}>
          {row.publishOn === null ? '' : calendarTimeText(localDayAndTime(Date.parse(row.publishOn), timeZone).time)}
        </Cell>
      ) : null}
      <Cell className={styles.listTitle} title={title}>
        <span className={styles.entryTitle}>{title}</span>
        <PendingMark row={row} isSmall={!hasTime} />
      </Cell>
      <Cell className={styles.listState}>
        {row.status === 'draft' && !hasTime ? null : <StateChip look={mediaLook(row.status)} state={row.status} />}
      </Cell>
      <Cell className={styles.listMenu}>
        <RowMenu
          rowId={row.id}
          label={texts.entry.more(title)}
          groups={() => entryGroups(siteId, row)}
          onOpen={() => void loadRightsTo(targetOfItem(siteId, row))}
        />
      </Cell>
    </>
  );
}
