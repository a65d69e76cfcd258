import { RotateCcw, RotateCw } from 'lucide-react';
import styles from './player.module.css';

/** The icon of a jump by a number of seconds; a negative number jumps back. */
export function SkipIcon({ seconds }: { seconds: number }) {
  const Arrow = seconds < 0 ? RotateCcw : RotateCw;
  return (
    <span className={styles.skip} aria-hidden>
      <Arrow size={20} strokeWidth={1.6} />
      <span>{Math.abs(seconds)}</span>
    </span>
  );
}
