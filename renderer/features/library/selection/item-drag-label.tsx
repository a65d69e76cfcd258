import { DragLabel } from '../../../kit/components/overlay/drag-label.tsx';
import { useBulk } from '../state/selection/bulk-store.ts';
import { useTree } from '../state/tree-store.ts';
import { texts } from './texts.ts';

/** A label that follows the pointer while items are dragged and describes the effect of a drop. */
export function ItemDragLabel() {
  const drag = useBulk((state) => state.drag);
  const rows = useTree((state) => state.rows);
  if (drag === null) return null;
  const what = texts.drag.items(drag.target.count, drag.target.title);
  const collection = drag.overId === null ? undefined : rows.get(drag.overId)?.displayName;
  return (
    <DragLabel x={drag.x} y={drag.y}>
      {collection === undefined ? what : texts.drag.into(what, collection)}
    </DragLabel>
  );
}
