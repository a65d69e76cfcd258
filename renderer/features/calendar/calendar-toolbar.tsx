import { ChevronDown, ChevronLeft, ChevronRight, PanelRightClose, PanelRightOpen } from 'lucide-react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { modKey } from '../../kit/bridge/bridge.ts';
import { Button, IconButton } from '../../kit/components/button.tsx';
import { Segments } from '../../kit/components/forms/choice.tsx';
import popoverStyles from '../../kit/components/overlay/popover.module.css';
import { formatCount } from '../../kit/text/format.ts';
import { CollectionPicker } from '../common/collection-picker.tsx';
import { toggleInspector, useLayout } from '../common/state/layout-store.ts';
import styles from './calendar.module.css';
import {
  currentSlots,
  filterByCollection,
  showMode,
  showToday,
  toggleUndated,
  turnPage,
  useCalendar,
} from './state/calendar-store.ts';
import { undatedList } from './state/slot-lists.ts';
import { type CalendarMode, itemsInTitle } from './state/visible-range.ts';
import { texts } from './texts.ts';

const MODES: readonly { value: CalendarMode; label: string }[] = [
  { value: 'month', label: texts.toolbar.month },
  { value: 'week', label: texts.toolbar.week },
];

/** The title of the visible days, and the commands that show others. */
export function CalendarToolbar() {
  const range = useCalendar((state) => state.range);
  const timeZone = useCalendar((state) => state.timeZone);
  const slots = useCalendar(currentSlots);
  return (
    <div className={styles.toolbar}>
      <div className={styles.heading}>
        <h1 className={styles.title}>{range.title}</h1>
        <span className={styles.count} role="status">
          {slots === null ? '' : texts.toolbar.count(itemsInTitle(range, slots))}
        </span>
        <span className={styles.zone} title={texts.toolbar.zone(timeZone)}>
          {texts.toolbar.zone(timeZone)}
        </span>
        <InspectorButton />
      </div>
      <div className={styles.commands}>
        <div className={styles.pages}>
          <IconButton label={texts.toolbar.previous[range.mode]} data-turn="-1" onPress={() => turnPage(-1)}>
            <ChevronLeft size={16} />
          </IconButton>
          <Button onPress={showToday}>{texts.toolbar.today}</Button>
          <IconButton label={texts.toolbar.next[range.mode]} data-turn="1" onPress={() => turnPage(1)}>
            <ChevronRight size={16} />
          </IconButton>
        </div>
        <Segments label={texts.toolbar.mode} hideLabel value={range.mode} options={MODES} onChange={showMode} />
        <CollectionFilter />
        <UndatedButton />
      </div>
    </div>
  );
}

function CollectionFilter() {
  const siteId = useCalendar((state) => state.siteId);
  const collection = useCalendar((state) => state.collection);
  const name = collection?.name ?? texts.toolbar.allCollections;
  return (
    <DialogTrigger>
      <AriaButton className={styles.filter ?? ''} aria-label={texts.toolbar.filter(name)}>
        <span className={styles.filterName}>{name}</span>
        <ChevronDown size={14} aria-hidden />
      </AriaButton>
      <Popover className={popoverStyles.popover ?? ''} placement="bottom start" offset={4}>
        <Dialog className={styles.filterForm ?? ''} aria-label={texts.toolbar.collection}>
          {({ close }) => (
            <>
              <CollectionPicker
                label={texts.toolbar.collection}
                siteId={siteId}
                value={collection?.id ?? null}
                autoFocus={collection === null}
                opensOnFocus={false}
                onChange={(id, chosen) => {
                  if (id === null) return;
                  filterByCollection({ id, name: chosen });
                  close();
                }}
              />
              <Button
                isDisabled={collection === null}
                autoFocus={collection !== null}
                onPress={() => {
                  filterByCollection(null);
                  close();
                }}
              >
                {texts.toolbar.showAll}
              </Button>
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function UndatedButton() {
  const isOpen = useCalendar((state) => state.isUndatedOpen);
  const total = undatedList.useList((state) => state.total);
  return (
    <Button aria-pressed={isOpen} onPress={toggleUndated}>
      {texts.toolbar.undated}
      {total === null ? null : <span className={styles.badge}>{formatCount(total)}</span>}
    </Button>
  );
}

function InspectorButton() {
  const isOpen = useLayout((state) => state.panes.inspector === 'docked');
  const Icon = isOpen ? PanelRightClose : PanelRightOpen;
  return (
    <IconButton
      label={isOpen ? texts.toolbar.hideInspector : texts.toolbar.showInspector}
      keys={`${modKey()}I`}
      onPress={toggleInspector}
    >
      <Icon size={16} strokeWidth={1.75} />
    </IconButton>
  );
}
