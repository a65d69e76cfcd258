import { InlineError } from '../../../components/status/empty-state.tsx';
import { useInspector } from '../../../stores/library/inspector-store.ts';
import { formatDateTime } from '../../../text/format.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

/** Above fields that the account can't edit, or only for a time: why, and until when. */
export function RightsNotice() {
  const rights = useInspector((state) => state.rights);
  const isGone = useInspector((state) => state.gone !== null);
  const hasError = useInspector((state) => state.error !== null);
  if (rights === null || isGone) return null;
  if (rights.edit !== null) {
    // The refusal of a save already says so.
    return hasError ? null : <InlineError isNotice error={rights.edit} />;
  }
  if (rights.ownUntil === null) return null;
  return (
    <p className={styles.muted}>{texts.rights.ownUntil(formatDateTime(new Date(rights.ownUntil).toISOString()))}</p>
  );
}
