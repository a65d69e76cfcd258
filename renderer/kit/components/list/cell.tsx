import type { ReactNode } from 'react';

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
      title={title}
      aria-hidden={isHidden || undefined}
      {...(sort === undefined ? {} : { 'aria-sort': sort })}
    >
      {children}
    </span>
  );
}
