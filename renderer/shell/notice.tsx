import { TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AppErrorData } from '../../shared/contract/app-error.ts';
import { IconButton } from '../kit/components/button.tsx';
import styles from './main-window.module.css';
import { texts } from './texts.ts';

interface NoticeProps {
  title: string;
  /** The text after the title. */
  text: ReactNode;
  /** Buttons. */
  children?: ReactNode;
}

/** A notice above the view. */
export function Notice({ title, text, children }: NoticeProps) {
  return (
    <div className={styles.notice} role="note">
      <TriangleAlert size={15} aria-hidden />
      <div className={styles.noticeText}>
        <strong>{title}</strong> {text}
      </div>
      {children}
    </div>
  );
}

interface ErrorNoticeProps {
  notice: AppErrorData;
  onDismiss: () => void;
  /** A button. */
  children?: ReactNode;
}

/** A notice about an error, which the user can dismiss. */
export function ErrorNotice({ notice, onDismiss, children }: ErrorNoticeProps) {
  const path = notice.details?.path;
  const text = (
    <>
      {notice.nextStep} {typeof path === 'string' ? <span data-selectable>{path}</span> : null}
    </>
  );
  return (
    <Notice title={notice.message} text={text}>
      {children}
      <IconButton label={texts.dismiss} small onPress={onDismiss}>
        <X size={14} />
      </IconButton>
    </Notice>
  );
}
