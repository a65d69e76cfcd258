import { ClipboardCopy, ClipboardList, ScrollText } from 'lucide-react';
import { useCallback } from 'react';
import type { AdminLogEntry } from '../../../../shared/contract/admin/admin-calls.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../../kit/components/list/windowed-grid.tsx';
import { EmptyState } from '../../../kit/components/status/empty-state.tsx';
import { formatDateTime, formatUtc } from '../../../kit/text/format.ts';
import adminStyles from '../admin.module.css';
import { AdminHead, AdminPane, AdminSpace } from '../admin-pane.tsx';
import { copyLog, logList } from '../state/log-list.ts';
import { useAdminList } from '../state/use-admin-rows.ts';
import styles from './log.module.css';
import { actionText, afterLabel, loggedOutcomeText, loggedValueText } from './log-values.ts';
import { texts } from './texts.ts';

const ROW_HEIGHT = 34;
const NO_FILTER = {};

/** The administrative changes of this computer, and the values of the selected one. */
export function LogPane() {
  useAdminList(logList, NO_FILTER);
  const focused = logList.useList(({ selection }) => selection.focus);
  const total = logList.useList((state) => state.total);
  // Rows are not React state: the panel shows the present one.
  logList.useList((state) => state.version);
  const renderRow = useCallback((index: number) => {
    const row = logList.rowAt(index);
    return row === undefined ? <Cell /> : <EntryCells entry={row.entry} />;
  }, []);
  return (
    <AdminPane
      filters={
        <>
          <p className={adminStyles.note}>{texts.about}</p>
          <AdminSpace />
          <Button
            icon={<ClipboardCopy size={14} aria-hidden />}
            isDisabled={(total ?? 0) === 0}
            onPress={() => void copyLog()}
          >
            {texts.copy}
          </Button>
        </>
      }
      list={
        <WindowedGrid
          list={logList}
          label={texts.list}
          rowHeight={ROW_HEIGHT}
          rowClass={styles.entry}
          columnCount={4}
          head={<Head />}
          coverTop={31}
          isSingle
          renderRow={renderRow}
          errorTitle={texts.notLoaded}
          empty={
            total === null ? null : <EmptyState icon={ScrollText} title={texts.empty.title} text={texts.empty.text} />
          }
        />
      }
      side={<EntryPanel entry={logList.rowAt(focused)?.entry ?? null} />}
    />
  );
}

function Head() {
  return (
    <AdminHead className={styles.head}>
      <Cell role="columnheader">{texts.columns.at}</Cell>
      <Cell role="columnheader">{texts.columns.action}</Cell>
      <Cell role="columnheader">{texts.columns.target}</Cell>
      <Cell role="columnheader">{texts.columns.outcome}</Cell>
    </AdminHead>
  );
}

function EntryCells({ entry }: { entry: AdminLogEntry }) {
  const { at, action, targetName, outcome } = entry;
  return (
    <>
      <Cell className={adminStyles.weak} title={formatUtc(at)}>
        {formatDateTime(at)}
      </Cell>
      <Cell title={actionText(action)}>{actionText(action)}</Cell>
      <Cell className={adminStyles.weak} title={targetName}>
        {targetName}
      </Cell>
      <Cell className={outcome === 'done' ? adminStyles.weak : styles.failed} title={loggedOutcomeText(entry)}>
        {outcome === 'done' ? texts.succeeded : texts.failed}
      </Cell>
    </>
  );
}

function EntryPanel({ entry }: { entry: AdminLogEntry | null }) {
  return (
    <section className={adminStyles.side} aria-label={entry === null ? texts.none.title : actionText(entry.action)}>
      {entry === null ? (
        <EmptyState icon={ClipboardList} title={texts.none.title} text={texts.none.text} />
      ) : (
        <>
          <h2>{actionText(entry.action)}</h2>
          <dl className={adminStyles.facts} data-selectable>
            <dt>{texts.at}</dt>
            <dd title={formatUtc(entry.at)}>{formatDateTime(entry.at)}</dd>
            <dt>{texts.target}</dt>
            <dd>{entry.targetName}</dd>
            {entry.targetId === '' ? null : (
              <>
                <dt>{texts.targetId}</dt>
                <dd>{entry.targetId}</dd>
              </>
            )}
            <dt>{texts.before}</dt>
            <dd>{loggedValueText(entry.action, entry.before)}</dd>
            <dt>{afterLabel(entry.action)}</dt>
            <dd>{loggedValueText(entry.action, entry.after)}</dd>
            <dt>{texts.outcome}</dt>
            <dd>{loggedOutcomeText(entry)}</dd>
          </dl>
        </>
      )}
    </section>
  );
}
