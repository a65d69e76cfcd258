import { showItem } from '../library/state/files/show-item.ts';
import styles from './calendar.module.css';
import { ItemList } from './item-list.tsx';
import { beginDrag } from './state/calendar-drag.ts';
import { selectItem, useCalendar } from './state/calendar-store.ts';
import { undatedList } from './state/slot-lists.ts';
import { texts } from './texts.ts';

/** The items without a date. They can be dragged to a day. */
export function UndatedPanel() {
  const siteId = useCalendar((state) => state.siteId);
  return (
    <section className={styles.undated} aria-label={texts.undated.label}>
      <h2 className={styles.undatedTitle}>{texts.toolbar.undated}</h2>
      <p className={styles.hint}>{texts.undated.hint}</p>
      <div className={styles.list}>
        <ItemList
          list={undatedList}
          label={texts.undated.label}
          errorTitle={texts.undated.notListed}
          empty={texts.undated.none}
          hasTimes={false}
          onActivate={({ id }) => {
            if (siteId !== null) void showItem({ siteId, mediaId: id });
          }}
          onDown={(event, row) => {
            selectItem(row);
            beginDrag(event, row);
          }}
        />
      </div>
    </section>
  );
}
