import { ChevronRight } from 'lucide-react';
import { classes } from '../../../kit/components/button.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { texts } from '../texts.ts';
import styles from './batch-header.module.css';

/** The header row of the skipped uploads of a batch, which expands and collapses them. */
export function SkippedHeader({ count, isOpen }: { count: number; isOpen: boolean }) {
  const { skippedRow, showSkipped, hideSkipped } = texts.batch;
  return (
    <div className={styles.skipped} role="presentation">
      <ChevronRight size={14} className={classes(styles.chevron, isOpen && styles.open)} aria-hidden />
      <Cell>
        {skippedRow(count)} <span className={styles.quiet}>{isOpen ? hideSkipped : showSkipped}</span>
      </Cell>
    </div>
  );
}
