import { useBulk } from '../../../stores/library/selection/bulk-store.ts';
import { useTree } from '../../../stores/library/tree-store.ts';
import styles from './selection.module.css';
import { texts } from './texts.ts';

/** Follows the pointer while items are dragged and says what a drop does. */
export function ItemDragLabel() {
  const drag = useBulk((state) => state.drag);
  const rows = useTree((state) => state.rows);
  if (drag === null) return null;
  const what = texts.drag.items(drag.target.count, drag.target.title);
  const collection = drag.overId === null ? undefined : rows.get(drag.overId)?.displayName;
  return (
    <div className={styles.dragLabel} style={{ transform: `translate(${drag.x + 12}px, ${drag.y + 8}px)` }} aria-hidden>
      {collection === undefined ? what : texts.drag.into(what, collection)}
    </div>
  );
}
