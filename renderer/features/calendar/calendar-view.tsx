import { CalendarOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { EmptyState, ErrorState, InlineError } from '../../kit/components/status/empty-state.tsx';
import { useSync } from '../library/state/sync-store.ts';
import styles from './calendar.module.css';
import { CalendarToolbar } from './calendar-toolbar.tsx';
import { CalendarDragLabel } from './drag-label.tsx';
import { EntryMenu } from './entry-menu.tsx';
import { MonthGrid } from './month-grid.tsx';
import { SlotDialog } from './slot-dialog.tsx';
import { cancelDrag } from './state/calendar-drag.ts';
import { currentSlots, enterCalendar, loadCalendar, useCalendar } from './state/calendar-store.ts';
import { texts } from './texts.ts';
import { UndatedPanel } from './undated-panel.tsx';
import { useGridFocus } from './use-grid-focus.ts';
import { WeekGrid } from './week-grid.tsx';

/** The items of an account by their publish date: a month or a week, and beside it the items without a date. */
export function CalendarView() {
  useEffect(() => {
    enterCalendar();
    return cancelDrag;
  }, []);
  const hasNoCopy = useCalendar((state) => state.hasNoCopy);
  const error = useCalendar((state) => state.error);
  const hasItems = useCalendar((state) => currentSlots(state) !== null);
  const isUndatedOpen = useCalendar((state) => state.isUndatedOpen);
  return (
    <main className={styles.view} aria-label={texts.title}>
      <CalendarToolbar />
      {error !== null && hasItems ? (
        <div className={styles.notRefreshed}>
          <InlineError error={error} onRetry={() => void loadCalendar()} />
        </div>
      ) : null}
      <div className={styles.body}>
        {error !== null && !hasItems ? (
          <ErrorState title={texts.notLoaded} error={error} onRetry={() => void loadCalendar()} />
        ) : hasNoCopy ? (
          <NoCopy />
        ) : (
          <>
            <Grid />
            {isUndatedOpen ? <UndatedPanel /> : null}
          </>
        )}
      </div>
      <CalendarDragLabel />
      <EntryMenu />
      <SlotDialog />
    </main>
  );
}

function Grid() {
  const mode = useCalendar((state) => state.range.mode);
  const box = useRef<HTMLDivElement>(null);
  const noteFocus = useGridFocus(box);
  return (
    <div className={styles.grid} ref={box} {...noteFocus}>
      {mode === 'month' ? <MonthGrid /> : <WeekGrid />}
    </div>
  );
}

function NoCopy() {
  const status = useSync(({ bySite }) => bySite[useCalendar.getState().siteId ?? '']);
  const isCopying = status?.phase === 'first-sync' && status.total !== null;
  return (
    <EmptyState
      icon={CalendarOff}
      title={texts.noCopy.title}
      text={isCopying ? texts.noCopy.copying(status.items, status.total ?? 0) : texts.noCopy.waiting}
    />
  );
}
