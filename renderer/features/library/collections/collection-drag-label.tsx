import { DragLabel } from '../../../kit/components/overlay/drag-label.tsx';
import { useCollections } from '../state/collections/collections-store.ts';
import { useTree } from '../state/tree-store.ts';
import { texts } from './texts.ts';

/** A label that follows the pointer during a drag and describes the effect of a drop. */
export function CollectionDragLabel() {
  const drag = useCollections((state) => state.drag);
  const rows = useTree((state) => state.rows);
  if (drag === null) return null;
  const [first = ''] = drag.ids;
  const what =
    drag.ids.length === 1 ? texts.drag.one(rows.get(first)?.displayName ?? '') : texts.drag.several(drag.ids.length);
  const target = drag.overId === null ? undefined : rows.get(drag.overId)?.displayName;
  return (
    <DragLabel x={drag.x} y={drag.y}>
      {target === undefined ? what : texts.drag.into(what, target)}
    </DragLabel>
  );
}
