import styles from './row-check.module.css';

/**
 * The box of a row or tile that adds it to the selection: visible at the pointer, and everywhere once several are selected. For
 * the mouse only; screen readers hear `aria-selected`, and the keyboard selects with Space.
 */
export function RowCheck() {
  return <span className={styles.hit} data-check aria-hidden />;
}
