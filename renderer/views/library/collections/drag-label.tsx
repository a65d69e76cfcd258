import { useCollections } from '../../../stores/library/collections/collections-store.ts';
import { useTree } from '../../../stores/library/tree-store.ts';
import styles from './collection-tree.module.css';
import { texts } from './texts.ts';

/** Follows the pointer during a drag and says what a drop does. */
export function DragLabel() {
  const drag = useCollections((state) => state.drag);
  const rows = useTree((state) => state.rows);
  if (drag === null) return null;
  const [first = ''] = drag.ids;
  const what =
    drag.ids.length === 1 ? texts.drag.one(rows.get(first)?.displayName ?? '') : texts.drag.several(drag.ids.length);
  const target = drag.overId === null ? undefined : rows.get(drag.overId)?.displayName;
  return (
    <div className={styles.dragLabel} style={{ transform: `translate(${drag.x + 12}px, ${drag.y + 8}px)` }} aria-hidden>
      {target === undefined ? what : texts.drag.into(what, target)}
    </div>
  );
}
