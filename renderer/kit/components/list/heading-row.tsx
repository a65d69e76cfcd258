import type { RowHeading } from '../../lists/headed-lines.ts';
import { classes } from '../button.tsx';
import rowStyles from './rows.module.css';
import styles from './virtual-grid.module.css';

interface HeadingRowProps {
  heading: RowHeading;
  columnCount: number;
  rowIndex: number;
  height: number;
  /** Absent: the heading of the rows at the top, above the scroll box. */
  top?: number;
}

/** The heading of a group of rows. It can't be selected and is no stop of the arrow keys. */
export function HeadingRow({ heading, columnCount, rowIndex, height, top }: HeadingRowProps) {
  const isAbove = top === undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: CSS places the rows, and only visible ones exist
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={rowIndex}
      className={classes(styles.heading, isAbove ? styles.above : rowStyles.row)}
      style={{ height, ...(isAbove ? {} : { transform: `translateY(${top}px)` }) }}
      data-heading={heading.text}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      <span role="gridcell" tabIndex={-1} aria-colspan={columnCount} className={styles.headingText}>
        {heading.text} <span className={styles.headingDetail}>{heading.detail}</span>
      </span>
    </div>
  );
}
