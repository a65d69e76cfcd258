import type { ReactNode } from 'react';
import { MAX_ADMIN_SEARCH } from '../../../shared/model/access/admin-limits.ts';
import { SearchField } from '../../kit/components/forms/field.tsx';
import styles from './admin.module.css';

interface AdminPaneProps {
  /** The line above the list: filters, then commands behind an `AdminSpace`. */
  filters: ReactNode;
  /** The list, with what lies over it. */
  list: ReactNode;
  /** The details of what is selected. */
  side: ReactNode;
  /** The open dialog. */
  children?: ReactNode;
}

/** The content of one tab of the administration: a list with its filters, and the details beside it. */
export function AdminPane({ filters, list, side, children }: AdminPaneProps) {
  return (
    <div className={styles.panes}>
      <div className={styles.listPane}>
        <div className={styles.filters}>{filters}</div>
        <div className={styles.list}>{list}</div>
      </div>
      {side}
      {children}
    </div>
  );
}

/** Moves what follows to the end of the line. */
export function AdminSpace() {
  return <span className={styles.grow} />;
}

interface AdminSearchProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** The search field above a list. */
export function AdminSearch(props: AdminSearchProps) {
  return (
    <div className={styles.search}>
      <SearchField {...props} maxLength={MAX_ADMIN_SEARCH} />
    </div>
  );
}

/** The head of a list: `columnheader` cells in the columns of the class. */
export function AdminHead({ className, children }: { className: string | undefined; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of a grid that is placed by CSS
    <div role="row" tabIndex={-1} aria-rowindex={1} className={className}>
      {children}
    </div>
  );
}
