import { Eye, FilePlus2, type LucideIcon, Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApp } from '../../features/common/state/app-store.ts';
import { dropTarget, useDrop } from '../../features/common/state/drop-store.ts';
import { collectionsOnPath, useTree } from '../../features/library/state/tree-store.ts';
import { texts } from '../texts.ts';
import styles from './drop-overlay.module.css';

/**
 * During a drag of files, shows the effect of a drop: files are added to a collection or, in the view of watched folders, a
 * folder is watched.
 */
export function DropOverlay() {
  const isOver = useDrop((state) => state.isOver);
  const isWatchedView = useApp((state) => state.view === 'watched');
  const hoverId = useDrop((state) => state.hoverId);
  const selectedId = useTree((state) => state.selectedId);
  const rows = useTree((state) => state.rows);
  const item = useDrop((state) => state.item);
  if (!isOver) return null;
  if (item !== null) {
    return (
      <Overlay icon={FilePlus2}>
        <div className={styles.hint}>{texts.drop.addToItem}</div>
        <div className={styles.target}>{item.title}</div>
      </Overlay>
    );
  }
  if (isWatchedView && hoverId === null) {
    return (
      <Overlay icon={Eye}>
        <div className={styles.target}>{texts.drop.watch}</div>
        <div className={styles.hint}>{texts.drop.watchHint}</div>
      </Overlay>
    );
  }
  const target = dropTarget(hoverId, selectedId);
  const names = target === null ? [] : collectionsOnPath(rows, target).map((row) => row.displayName);
  return (
    <Overlay icon={Upload}>
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
    </Overlay>
  );
}

function Overlay({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <div className={styles.overlay} data-testid="drop-overlay">
      <div className={styles.card} role="status">
        <span className={styles.icon}>
          <Icon size={20} aria-hidden />
        </span>
        <div>{children}</div>
      </div>
    </div>
  );
}
