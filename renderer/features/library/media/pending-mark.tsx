import type { MediaRow } from '../../../../shared/contract/library.ts';
import { Glyph } from '../../../kit/components/glyph.tsx';
import { texts } from '../texts.ts';
import styles from './pending-mark.module.css';

/**
 * Marks an item with edits that the library has not received yet, and shows whether they need the user. “Not sent yet” appears
 * after a second, because most edits are sent sooner.
 */
export function PendingMark({ row: { pending, needs } }: { row: Pick<MediaRow, 'pending' | 'needs'> }) {
  if (pending === undefined) return null;
  if (needs !== undefined) {
    return (
      <span className={styles.mark} data-pending={needs} title={texts.media.needs[needs].title}>
        <Glyph name={needs === 'decision' ? 'warning' : 'failed'} size={12} />
        {texts.media.needs[needs].mark}
      </span>
    );
  }
  return (
    <span className={styles.mark} data-pending={pending}>
      <Glyph name={pending === 'deleted' ? 'cancelled' : 'waiting'} size={12} />
      {texts.media.pending[pending]}
    </span>
  );
}
