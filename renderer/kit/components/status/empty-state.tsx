import { CircleAlert, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { detailLines } from '../../text/errors.ts';
import { Button, classes } from '../button.tsx';
import { texts } from '../texts.ts';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  text: ReactNode;
  children?: ReactNode;
}

/** Replaces an empty list or panel: shows why it is empty and offers an action. */
export function EmptyState({ icon: Icon, title, text, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <div className={styles.icon}>
        <Icon size={24} strokeWidth={1.75} aria-hidden />
      </div>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{text}</p>
      {children === undefined ? null : <div className={styles.actions}>{children}</div>}
    </div>
  );
}

interface ErrorStateProps {
  title: string;
  error: AppErrorData;
  onRetry?: () => void;
}

/** Replaces a list or panel that could not be loaded: the cause, the next step and a retry button. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  return (
    <div className={classes(styles.state, styles.bad)} role="alert">
      <div className={styles.icon}>
        <CircleAlert size={24} strokeWidth={1.75} aria-hidden />
      </div>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{error.message}</p>
      {error.nextStep === null ? null : <p className={styles.text}>{error.nextStep}</p>}
      {onRetry === undefined ? null : (
        <div className={styles.actions}>
          <Button onPress={onRetry}>{texts.status.tryAgain}</Button>
        </div>
      )}
      <ErrorDetails error={error} />
    </div>
  );
}

/** An error inside a form or a panel. `isNotice` for information that is not a failure. `onRetry` adds a button to try again. */
export function InlineError({ error, isNotice = false, onRetry, children }: InlineErrorProps) {
  const Icon = isNotice ? TriangleAlert : CircleAlert;
  return (
    <div className={classes(styles.inline, isNotice && styles.notice)} role={isNotice ? 'note' : 'alert'}>
      <Icon size={16} aria-hidden />
      <div>
        <strong>{error.message}</strong>
        {error.nextStep === null ? null : (
          <span className={styles.next} data-selectable>
            {error.nextStep}
          </span>
        )}
        {children}
        {onRetry === undefined ? null : <Button onPress={onRetry}>{texts.status.tryAgain}</Button>}
        {isNotice ? null : <ErrorDetails error={error} />}
      </div>
    </div>
  );
}

interface InlineErrorProps {
  error: AppErrorData;
  isNotice?: boolean;
  onRetry?: () => void;
  children?: ReactNode;
}

function ErrorDetails({ error }: { error: AppErrorData }) {
  const lines = detailLines(error);
  if (lines.length === 0) return null;
  return (
    <details className={styles.details}>
      <summary>{texts.status.details}</summary>
      <dl>
        <dt>{texts.status.code}</dt>
        <dd>{error.code}</dd>
        {lines.map((line) => (
          <div key={line.label} style={{ display: 'contents' }}>
            <dt>{line.label}</dt>
            <dd>{line.text}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
