import type { MediaRow } from '../../../shared/contract/library.ts';
import { classes } from '../../kit/components/button.tsx';
import { Glyph } from '../../kit/components/glyph.tsx';
import styles from './pending-mark.module.css';
import { texts } from './texts.ts';

const edits = texts.itemEdits;

interface PendingMarkProps {
  row: Pick<MediaRow, 'pending' | 'needs'>;
  /** Shows its icon only; its word stays for screen readers. */
  isSmall?: boolean;
}

/**
 * Marks an item with edits that the library has not received yet, and shows whether they need the user. “Not sent yet” appears
 * after a second, because most edits are sent sooner.
 */
export function PendingMark({ row: { pending, needs }, isSmall = false }: PendingMarkProps) {
  if (pending === undefined) return null;
  if (needs !== undefined) {
    return (
      <span
        className={classes(styles.mark, isSmall && styles.small)}
        data-pending={needs}
        title={edits.needs[needs].title}
      >
        <Glyph name={needs === 'decision' ? 'warning' : 'failed'} size={12} />
        {edits.needs[needs].mark}
      </span>
    );
  }
  return (
    <span className={classes(styles.mark, isSmall && styles.small)} data-pending={pending}>
      <Glyph name={pending === 'deleted' ? 'cancelled' : 'waiting'} size={12} />
      {edits.pending[pending]}
    </span>
  );
}
