import { useMediaFacts } from '../../../stores/library/media-store.ts';
import styles from './query.module.css';
import { texts } from './texts.ts';

/** Says how many items the list may lack because their captions are not known yet. */
export function UnknownCaptions() {
  const unknown = useMediaFacts((state) => state.captionsUnknown);
  if (unknown === 0) return null;
  return (
    <p className={styles.hint} role="status">
      {texts.captionsUnknown(unknown)}
    </p>
  );
}
