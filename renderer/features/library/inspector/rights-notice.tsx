import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { formatDateTime } from '../../../kit/text/format.ts';
import { useInspector } from '../state/inspector-store.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

/** A notice above fields that the account can't edit, or can edit only until a time: the reason, and that time. */
export function RightsNotice() {
  const rights = useInspector((state) => state.rights);
  const isGone = useInspector((state) => state.gone !== null);
  const hasError = useInspector((state) => state.error !== null);
  if (rights === null || isGone) return null;
  if (rights.edit !== null) {
    // The error of a refused save already contains the reason.
    return hasError ? null : <InlineError isNotice error={rights.edit} />;
  }
  if (rights.ownUntil === null) return null;
  return (
    <p className={styles.muted}>{texts.rights.ownUntil(formatDateTime(new Date(rights.ownUntil).toISOString()))}</p>
  );
}
