import { useMediaFacts } from '../state/media-store.ts';
import styles from './query.module.css';
import { texts } from './texts.ts';

/** Shows how many items may be missing from the list because the library has not reported yet whether they have captions. */
export function UnknownCaptions() {
  const unknown = useMediaFacts((state) => state.captionsUnknown);
  if (unknown === 0) return null;
  return (
    <p className={styles.hint} role="status">
      {texts.captionsUnknown(unknown)}
    </p>
  );
}
