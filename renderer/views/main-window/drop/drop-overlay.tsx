import { Upload } from 'lucide-react';
import { dropTarget, useDrop } from '../../../stores/app/drop-store.ts';
import { pathOf, useTree } from '../../../stores/library/tree-store.ts';
import { texts } from '../texts.ts';
import styles from './drop-overlay.module.css';

/** Shows during a drag of files into which collection they would be added. */
export function DropOverlay() {
  const isOver = useDrop((state) => state.isOver);
  const hoverId = useDrop((state) => state.hoverId);
  const selectedId = useTree((state) => state.selectedId);
  const rows = useTree((state) => state.rows);
  if (!isOver) return null;
  const target = dropTarget(hoverId, selectedId);
  const names = target === null ? [] : pathOf(rows, target).map((row) => row.displayName);
  return (
    <div className={styles.overlay} data-testid="drop-overlay">
      <div className={styles.card} role="status">
        <span className={styles.icon}>
          <Upload size={20} aria-hidden />
        </span>
        <div>
          {target === null ? (
            <>
              <div className={styles.target}>{texts.drop.choose}</div>
              <div className={styles.hint}>{texts.drop.chooseHint}</div>
            </>
          ) : (
            <>
              <div className={styles.hint}>{texts.drop.addTo}</div>
              <div className={styles.target}>{names.join(' › ')}</div>
            </>
          )}
        </div>
      </div>
    </div>
  );
}
