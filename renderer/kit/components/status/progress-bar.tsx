import type { Tone } from '../../text/states.ts';
import { classes } from '../button.tsx';
import styles from './progress-bar.module.css';

interface ProgressBarProps {
  label: string;
  /** 0 to 100; null while the progress is unknown. */
  value: number | null;
  tone?: Tone;
}

export function ProgressBar({ label, value, tone = 'active' }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(value === null ? {} : { 'aria-valuenow': value })}
      className={classes(styles.bar, styles[tone], value === null && styles.unsure)}
    >
      <div className={styles.fill} style={{ transform: `scaleX(${(value ?? 100) / 100})` }} />
    </div>
  );
}
