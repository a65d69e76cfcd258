import type { ReactNode } from 'react';
import { shownName } from '../../text/shown-name.ts';
import { classes } from '../button.tsx';
import styles from './cell.module.css';

interface CellProps {
  role?: 'gridcell' | 'columnheader';
  className?: string | undefined;
  title?: string;
  sort?: 'ascending' | 'descending' | 'none';
  isHidden?: boolean;
  children?: ReactNode;
}

/**
 * A cell of a grid that CSS lays out, where table elements do not work. It cannot have the focus: the grid has it, and the
 * target of a click is the row.
 */
export function Cell({ role = 'gridcell', className, title, sort, isHidden = false, children }: CellProps) {
  return (
    <span
      role={role}
      className={className}
      title={title === undefined ? undefined : shownName(title)}
      aria-hidden={isHidden || undefined}
      {...(sort === undefined ? {} : { 'aria-sort': sort })}
    >
      {typeof children === 'string' ? shownName(children) : children}
    </span>
  );
}

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

/**
 * The box of a row or tile that adds it to the selection: visible at the pointer, and everywhere once several are selected. For
 * the mouse only; screen readers hear `aria-selected`, and the keyboard selects with Space.
 */
export function RowCheck() {
  return <span className={styles.hit} data-check aria-hidden />;
}
