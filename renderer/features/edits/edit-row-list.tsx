import { Copy, FilePlus2, RotateCw, Trash2 } from 'lucide-react';
import { Fragment, type ReactNode, useMemo } from 'react';
import type { EditRow } from '../../../shared/contract/edits.ts';
import { isRestorable } from '../../../shared/model/edits/restorable.ts';
import { classes } from '../../kit/components/button.tsx';
import { Cell, RowTextButton } from '../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../kit/components/list/windowed-grid.tsx';
import { RowButton } from '../../kit/components/overlay/menu.tsx';
import { StateChip } from '../../kit/components/status/state-chip.tsx';
import { answerOf } from '../../kit/text/errors.ts';
import { formatDateTime } from '../../kit/text/format.ts';
import { ChangeLine } from '../common/change-line.tsx';
import { type NameOf, valueText } from '../common/change-text.ts';
import { useCollectionNames } from '../common/use-collection-names.ts';
import { EDIT_LOOKS, useOtherAccount } from './edit-looks.ts';
import styles from './edits.module.css';
import { hasValues, isRevisable } from './row-values.ts';
import { openDecision } from './state/decide-store.ts';
import { dropEdits, type EditsTab, editRows, retryEdits, useEdits } from './state/edits-store.ts';
import { openRestore } from './state/restore-store.ts';
import { openRevise, showValues } from './state/row-dialogs-store.ts';
import { texts } from './texts.ts';

const ROW_HEIGHT = 62;
/** The height of rows that need the user: they have room for the whole reason with its next step. */
const ATTENTION_ROW_HEIGHT = 78;
const ATTENTION_TABS: ReadonlySet<EditsTab> = new Set(['attention', 'held', 'conflict', 'refused']);
const PLACEHOLDERS = 6;
/** The number of lines for changes in a row. */
const MOST_LINES = 2;

/** Lists edited items with their changes, their state, and the reason why they need the user. */
export function EditRowList({ empty }: { empty: ReactNode }) {
  const version = editRows.useList((state) => state.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` changes with the cache that the rows are read from
  const named = useMemo(() => collectionsIn(), [version]);
  const nameOf = useCollectionNames(named.siteId, named.ids);
  const isHistory = useEdits((state) => state.entity !== null);
  const asks = useEdits(({ tab, group, entity }) => group === null && entity === null && ATTENTION_TABS.has(tab));
  return (
    <WindowedGrid
      list={editRows}
      label={texts.rows.label}
      placeholderRows={PLACEHOLDERS}
      rowHeight={asks ? ATTENTION_ROW_HEIGHT : ROW_HEIGHT}
      rowClass={classes(styles.editRow, asks && styles.asks)}
      columnCount={4}
      isSingle
      onActivate={(index) => decide(editRows.rowAt(index))}
      renderRow={(index) => {
        const row = editRows.rowAt(index);
        if (row === undefined) return <Cell />;
        const hidden = row.changes.length - MOST_LINES;
        return (
          <>
            <NameCell row={row} isDated={isHistory} />
            <Cell className={styles.changes}>
              {row.changes.slice(0, MOST_LINES).map((change, position) => (
                <Fragment key={change.field}>
                  <div className={styles.changeLine}>
                    <ChangeLine change={change} nameOf={nameOf} showsField />
                    {hidden > 0 && position === MOST_LINES - 1 ? (
                      <span className={styles.of}>{texts.rows.more(hidden)}</span>
                    ) : null}
                  </div>
                  {asks && row.changes.length === 1 ? <TheirsLine change={change} nameOf={nameOf} /> : null}
                </Fragment>
              ))}
            </Cell>
            <Cell className={styles.state} title={reasonOf(row)}>
              <StateChip look={EDIT_LOOKS[row.state]} state={row.state} />
              <span className={styles.reason}>{shownReason(row)}</span>
            </Cell>
            <Cell className={styles.commands}>
              <RowButtons row={row} />
            </Cell>
          </>
        );
      }}
      errorTitle={texts.notLoaded}
      empty={empty}
    />
  );
}

function NameCell({ row, isDated }: { row: EditRow; isDated: boolean }) {
  const account = useOtherAccount(row.siteId);
  return (
    <Cell className={styles.name} title={[row.name, account].filter((part) => part !== null).join('\n')}>
      <span className={styles.label}>{row.name || texts.untitled}</span>
      {account === null ? null : <span className={styles.when}>{account}</span>}
      {isDated ? <span className={styles.when}>{formatDateTime(row.createdAt)}</span> : null}
    </Cell>
  );
}

/** The value of someone else that the user decides about. */
function TheirsLine({ change, nameOf }: { change: EditRow['changes'][number]; nameOf: NameOf }) {
  const { field, theirs, needsDecision } = change;
  if (!needsDecision || theirs === null || field === 'item') return null;
  const value = valueText(field, theirs, nameOf, true);
  return (
    <div className={styles.theirs} title={value}>
      <span>{texts.rows.theirs}</span>
      {value}
    </div>
  );
}

function decide(row: EditRow | undefined): void {
  if (row === undefined) return;
  if (row.state === 'conflict' || row.state === 'held') openDecision(row);
  else if (isRestorable(row)) openRestore(row);
  else if (isRevisable(row)) openRevise(row);
  else if (hasValues(row)) showValues(row);
}

/** Returns the reason why a row needs the user or waits; an empty text for other rows. */
function reasonOf({ error, nextAt, state }: EditRow): string {
  if (error === null || state === 'done') return '';
  if (state === 'dropped' && error.code !== 'edit.dropped-unanswered') return '';
  // The words of the library are shown in this list; in other views, the next step refers the user to this list.
  const step = (state === 'refused' ? answerOf(error) : null) ?? error.nextStep;
  const next = nextAt === null || state !== 'pending' ? step : texts.rows.next(formatDateTime(nextAt));
  return [error.message, next].filter((part) => part !== null).join(' ');
}

/**
 * Returns the reason as far as the row shows it. What the user can do is behind the commands of the row, and in the hint with the
 * whole reason.
 */
function shownReason(row: EditRow): string {
  const { error, state } = row;
  const isDecided = state === 'conflict' || state === 'held' || isRestorable(row);
  return isDecided && error !== null ? error.message : reasonOf(row);
}

function RowButtons({ row }: { row: EditRow }) {
  const { state, id } = row;
  const isOpen = state === 'pending' || state === 'held' || state === 'conflict' || state === 'refused';
  return (
    <>
      {state === 'conflict' || state === 'held' ? (
        <RowTextButton label={texts.rows.decide} of={row.name || texts.untitled} onClick={() => openDecision(row)} />
      ) : null}
      {isRevisable(row) ? (
        <RowTextButton label={texts.rows.revise} of={row.name || texts.untitled} onClick={() => openRevise(row)} />
      ) : null}
      {state === 'refused' ? (
        <RowButton label={texts.rows.retry} onClick={() => void retryEdits({ ids: [id] })}>
          <RotateCw size={15} aria-hidden />
        </RowButton>
      ) : null}
      {isRestorable(row) ? (
        <RowButton label={texts.rows.restore} onClick={() => openRestore(row)}>
          <FilePlus2 size={15} aria-hidden />
        </RowButton>
      ) : null}
      {hasValues(row) ? (
        <RowButton label={texts.rows.copy} onClick={() => showValues(row)}>
          <Copy size={15} aria-hidden />
        </RowButton>
      ) : null}
      {isOpen ? (
        <RowButton label={texts.rows.drop} onClick={() => void dropEdits({ ids: [id] })}>
          <Trash2 size={15} aria-hidden />
        </RowButton>
      ) : null}
    </>
  );
}

/** Returns the collections that the loaded rows refer to. */
function collectionsIn(): { siteId: string | null; ids: string[] } {
  const ids = new Set<string>();
  let siteId: string | null = null;
  for (const { row } of editRows.loaded()) {
    for (const { field, before, after } of row.changes) {
      if (field !== 'collection' && field !== 'parent') continue;
      siteId = row.siteId;
      for (const id of [before, after]) if (typeof id === 'string') ids.add(id);
    }
  }
  return { siteId, ids: [...ids] };
}
