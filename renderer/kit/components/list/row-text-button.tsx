import { classes } from '../button.tsx';
import styles from './row-text-button.module.css';

interface RowTextButtonProps {
  label: string;
  /** The name of the row, after the label for screen readers. */
  of: string;
  className?: string | undefined;
  onClick: () => void;
}

/** A button with a word in a row of a list. The list is one stop of the Tab key; the arrow keys reach its buttons. */
export function RowTextButton({ label, of, className, onClick }: RowTextButtonProps) {
  return (
    <button type="button" tabIndex={-1} className={classes(styles.button, className)} onClick={onClick}>
      {label}
      <span className="visually-hidden"> {of}</span>
    </button>
  );
}
