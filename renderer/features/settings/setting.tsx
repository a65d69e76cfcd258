import type { ReactNode } from 'react';
import styles from './setting.module.css';

interface SettingGroupProps {
  title: string;
  text?: ReactNode;
  children: ReactNode;
}

/** A group of settings with a heading. */
export function SettingGroup({ title, text, children }: SettingGroupProps) {
  return (
    <section className={styles.group} aria-label={title}>
      <h3 className={styles.heading}>{title}</h3>
      {text === undefined ? null : <p className={styles.lead}>{text}</p>}
      <div className={styles.rows}>{children}</div>
    </section>
  );
}

interface SettingRowProps {
  label: ReactNode;
  hint?: ReactNode;
  /** The control at the right. */
  children?: ReactNode;
  /** Content below the row, over its whole width. */
  below?: ReactNode;
}

/** One setting: label, hint and control. */
export function SettingRow({ label, hint, children, below }: SettingRowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <div className={styles.label}>{label}</div>
        {hint === undefined ? null : <div className={styles.hint}>{hint}</div>}
      </div>
      {children === undefined ? null : <div className={styles.control}>{children}</div>}
      {below === undefined ? null : <div className={styles.below}>{below}</div>}
    </div>
  );
}
