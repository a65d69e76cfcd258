import styles from './add-sheet.module.css';
import { ManifestNotices } from './manifest/manifest-notices.tsx';
import { PairNotice } from './pairing/pair-notice.tsx';
import { TitleNotice } from './title-notice.tsx';

/**
 * The notices about choices that the user can make for the added files: above their table; in a narrow sheet, above everything.
 */
export function SheetNotices() {
  return (
    <div className={styles.notices}>
      <ManifestNotices />
      <PairNotice />
      <TitleNotice />
    </div>
  );
}
