import styles from './add-sheet.module.css';
import { ManifestNotices } from './manifest/manifest-notices.tsx';
import { PairNotice } from './pairing/pair-notice.tsx';
import { TitleNotice } from './title-notice.tsx';

/** What the user can decide about the added files: above their table, and above everything in a narrow sheet. */
export function SheetNotices() {
  return (
    <div className={styles.notices}>
      <ManifestNotices />
      <PairNotice />
      <TitleNotice />
    </div>
  );
}
