import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import styles from './inspector.module.css';

/** The reason below disabled buttons: why the account can't use them, and the next step. */
export function Refusal({ error }: { error: AppErrorData | null }) {
  if (error === null) return null;
  return (
    <p className={styles.muted} data-refusal={error.code}>
      {error.message} {error.nextStep}
    </p>
  );
}
