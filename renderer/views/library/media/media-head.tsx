import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { MediaSort } from '../../../../shared/api/media.ts';
import type { MediaQuery } from '../../../../shared/contract/library.ts';
import { classes, IconButton } from '../../../components/button.tsx';
import { Cell } from '../../../components/list/cell.tsx';
import { ActionMenu } from '../../../components/overlay/menu.tsx';
import { type DateColumn, sortBy } from '../../../stores/library/media-store.ts';
import { texts } from '../texts.ts';
import styles from './media-list.module.css';

const DATE_WORDS: Readonly<Record<DateColumn, string>> = texts.list.dates;
const DATE_COLUMNS = Object.keys(DATE_WORDS) as DateColumn[];

interface MediaHeadProps {
  query: MediaQuery;
  dateColumn: DateColumn;
}

/** The column headers of the media list. Title and date sort the list. */
export function MediaHead({ query, dateColumn }: MediaHeadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of a grid that is placed by CSS
    <div role="row" tabIndex={-1} aria-rowindex={1} className={styles.head}>
      <Cell role="columnheader">
        <span className="visually-hidden">{texts.list.columns.type}</span>
      </Cell>
      <SortHeader label={texts.list.columns.title} sort="title" query={query} />
      <Cell role="columnheader" className={styles.status}>
        {texts.list.columns.status}
      </Cell>
      <Cell role="columnheader" className={classes(styles.right, styles.length)}>
        {texts.list.columns.length}
      </Cell>
      <SortHeader label={DATE_WORDS[dateColumn]} sort={dateColumn} query={query}>
        <ActionMenu
          label={texts.list.dateColumn}
          groups={[
            {
              entries: DATE_COLUMNS.map((column) => ({
                id: column,
                label: DATE_WORDS[column],
                isChecked: column === dateColumn,
                onAction: () => {
                  if (column !== query.sort) sortBy(column);
                },
              })),
            },
          ]}
        >
          <IconButton label={texts.list.chooseDate} small>
            <ChevronDown size={12} />
          </IconButton>
        </ActionMenu>
      </SortHeader>
      <Cell role="columnheader" className={styles.tagsHead}>
        {texts.list.columns.tags}
      </Cell>
      <Cell role="columnheader">
        <span className="visually-hidden">{texts.row.actions}</span>
      </Cell>
    </div>
  );
}

interface SortHeaderProps {
  label: string;
  sort: MediaSort;
  query: MediaQuery;
  children?: React.ReactNode;
}

function SortHeader({ label, sort, query, children }: SortHeaderProps) {
  const isSorted = query.sort === sort;
  const isUp = query.order === 'asc';
  const Arrow = isUp ? ArrowUp : ArrowDown;
  return (
    <Cell
      role="columnheader"
      className={styles.dateHead}
      sort={isSorted ? (isUp ? 'ascending' : 'descending') : 'none'}
    >
      <AriaButton
        className={styles.sort ?? ''}
        onPress={() => sortBy(sort)}
        {...(isSorted ? { 'data-sorted': '' } : {})}
      >
        {label}
        {isSorted ? <Arrow size={12} strokeWidth={2.25} aria-hidden /> : null}
      </AriaButton>
      {children}
    </Cell>
  );
}
