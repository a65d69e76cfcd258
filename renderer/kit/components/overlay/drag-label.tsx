import styles from './drag-label.module.css';

/** Shows the effect of a drop beside the pointer. `x` and `y` are the position of the pointer in the window. */
export function DragLabel({ x, y, children }: { x: number; y: number; children: string }) {
  return (
    <div className={styles.label} style={{ transform: `translate(${x + 12}px, ${y + 8}px)` }} aria-hidden>
      {children}
    </div>
  );
}
