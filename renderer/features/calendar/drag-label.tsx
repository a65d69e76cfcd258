import { DragLabel } from '../../kit/components/overlay/drag-label.tsx';
import { useDrag } from './state/calendar-drag.ts';
import { useCalendar } from './state/calendar-store.ts';
import { moveOf } from './state/reschedule.ts';
import { texts } from './texts.ts';

/** A label that follows the pointer while an item is dragged, with the time that a drop gives it. */
export function CalendarDragLabel() {
  const drag = useDrag((state) => state.drag);
  const timeZone = useCalendar((state) => state.timeZone);
  if (drag === null) return null;
  const { item, over, x, y } = drag;
  const title = item.title || texts.entry.untitled;
  return (
    <DragLabel x={x} y={y}>
      {over === null ? title : texts.drag.to(title, moveOf(item, over.day, over.hour, timeZone, Date.now()).when)}
    </DragLabel>
  );
}
