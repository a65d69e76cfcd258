import type { AddUploadsOutput } from '../../../../shared/contract/uploads.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { formatBytes } from '../../../kit/text/format.ts';
import { showView } from '../../common/state/app-store.ts';
import { addedCount } from '../state/add-described.ts';
import { closeAddSheet } from '../state/add-store.ts';
import styles from './add-sheet.module.css';
import { texts } from './texts.ts';

/** The result when files were skipped: how many were added, and the reason of each skipped file. */
export function AddResult({ result }: { result: AddUploadsOutput }) {
  const count = addedCount(result);
  const close = () => {
    closeAddSheet();
    if (count > 0) showView('uploads');
  };
  const more = result.skippedCount - result.skipped.length;
  return (
    <Dialog
      title={count === 0 ? texts.result.nothing : texts.result.added(count)}
      isOpen
      onClose={close}
      width={520}
      footer={
        <>
          <FooterSpace />
          <Button variant="primary" autoFocus onPress={close}>
            {texts.result.close}
          </Button>
        </>
      }
    >
      <p className={styles.lead}>
        {count === 0 ? '' : texts.result.willSend(formatBytes(result.addedBytes + (result.late?.bytes ?? 0)))}
        {result.skippedCount === 0 ? texts.result.noFiles : texts.result.skipped(result.skippedCount)}
      </p>
      <ul className={styles.skipped} aria-label={texts.result.skippedLabel}>
        {result.skipped.map(({ path, error }) => (
          <li key={path}>
            <span className={styles.skippedName} title={path}>
              {path.split(/[\\/]/).at(-1)}
            </span>
            <span>
              {error.message} {error.nextStep}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className={styles.lead}>{texts.result.more(more)}</p> : null}
    </Dialog>
  );
}
