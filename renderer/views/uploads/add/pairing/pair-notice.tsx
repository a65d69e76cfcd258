import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { useAdd } from '../../../../stores/uploads/add-store.ts';
import { PairDialog } from './pair-dialog.tsx';
import styles from './pairing.module.css';
import { texts } from './texts.ts';

/** Says how many files need a choice of their recording, and opens the dialog where the user chooses. */
export function PairNotice() {
  const sidecars = useAdd((state) => state.sidecars);
  const unclear = useAdd((state) => state.unclear);
  const choices = useAdd((state) => state.pairChoices);
  const [isOpen, setOpen] = useState(false);
  if (!sidecars || unclear.length === 0) return null;
  const open = unclear.filter(({ path }) => !choices.has(path)).length;
  return (
    <div className={open === 0 ? styles.settled : styles.notice} data-testid="pair-notice">
      <CircleHelp size={15} aria-hidden />
      <span role="status" className={styles.noticeText}>
        {open === 0 ? texts.noticeDone(unclear.length) : texts.notice(open)}
        {open === 0 ? null : <span className={styles.hint}> {texts.noticeHint(open)}</span>}
      </span>
      <Button onPress={() => setOpen(true)}>{open === 0 ? texts.change : texts.choose}</Button>
      {isOpen ? <PairDialog onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
