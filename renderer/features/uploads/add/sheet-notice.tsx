import type { ReactNode } from 'react';
import styles from './add-sheet.module.css';

interface SheetNoticeProps {
  icon: ReactNode;
  /** Whether the notice waits for the user. */
  isOpen: boolean;
  text: string;
  hint?: string | null;
  testId: string;
  /** Its buttons. */
  children?: ReactNode;
}

/** A line above the table of the sheet about a choice that the user can make. */
export function SheetNotice({ icon, isOpen, text, hint = null, testId, children }: SheetNoticeProps) {
  return (
    <div className={isOpen ? styles.notice : styles.settled} data-testid={testId}>
      {icon}
      <span role="status" className={styles.text}>
        {text}
        {hint === null ? null : <span className={styles.hint}> {hint}</span>}
      </span>
      <span className={styles.actions}>{children}</span>
    </div>
  );
}
