import type { MediaRow } from '../../../../shared/contract/library.ts';
import { Glyph } from '../../../components/glyph.tsx';
import styles from './pending-mark.module.css';
import { texts } from './texts.ts';

/** Marks an item with edits that the library does not have yet. It appears after a second: edits are mostly sent sooner. */
export function PendingMark({ pending }: Pick<MediaRow, 'pending'>) {
  if (pending === undefined) return null;
  return (
    <span className={styles.mark} data-pending={pending}>
      <Glyph name={pending === 'deleted' ? 'cancelled' : 'waiting'} size={12} />
      {texts.pending[pending]}
    </span>
  );
}
