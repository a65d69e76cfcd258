import { Button } from '../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { showItem } from '../library/state/files/show-item.ts';
import styles from './calendar.module.css';
import { ItemList } from './item-list.tsx';
import { selectItem, useCalendar } from './state/calendar-store.ts';
import { closeSlotList, slotList, useListedSlot } from './state/slot-lists.ts';
import { texts } from './texts.ts';

/** Lists all items of a day or of an hour that has more than its cell shows. */
export function SlotDialog() {
  const title = useListedSlot((state) => state.title);
  const siteId = useCalendar((state) => state.siteId);
  const total = slotList.useList((state) => state.total);
  if (title === null) return null;
  return (
    <Dialog
      title={texts.slot.title(title, total)}
      isOpen
      onClose={closeSlotList}
      width={640}
      footer={
        <>
          <FooterSpace />
          <Button onPress={closeSlotList}>{texts.slot.close}</Button>
        </>
      }
    >
      <div className={styles.slotList}>
        <ItemList
          list={slotList}
          label={title}
          errorTitle={texts.slot.notListed}
          empty={texts.slot.none}
          hasTimes
          onActivate={(row) => {
            closeSlotList();
            selectItem(row);
            if (siteId !== null) void showItem({ siteId, mediaId: row.id });
          }}
        />
      </div>
    </Dialog>
  );
}
