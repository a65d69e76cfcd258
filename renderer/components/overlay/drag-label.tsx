import styles from './drag-label.module.css';

/** Says beside the pointer what a drop does. The place is that of the pointer in the window. */
export function DragLabel({ x, y, children }: { x: number; y: number; children: string }) {
  return (
    <div className={styles.label} style={{ transform: `translate(${x + 12}px, ${y + 8}px)` }} aria-hidden>
      {children}
    </div>
  );
}
