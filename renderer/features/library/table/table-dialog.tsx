import { useEffect } from 'react';
import { Button } from '../../../kit/components/button.tsx';
import { ConfirmDialog, Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { ProgressBar } from '../../../kit/components/status/progress-bar.tsx';
import { GridEditor } from '../../common/grid/grid-editor.tsx';
import { ColumnMenu } from '../../common/menus.tsx';
import { SeriesFill } from '../../common/series/series-fill.tsx';
import { texts } from '../selection/texts.ts';
import { useAppliedChanges } from '../state/selection/review-store.ts';
import { TABLE_FACTS, TABLE_FIELDS } from '../state/table/table-columns.ts';
import {
  closeTable,
  leaveTable,
  readTable,
  reviewTable,
  setTable,
  stayInTable,
  takeAppliedReview,
  toggleFact,
  useTable,
} from '../state/table/table-store.ts';
import { texts as storeTexts } from '../state/texts.ts';
import styles from './table-dialog.module.css';

/** Chooses the read-only columns of the table. Editable columns are always shown. */
function TableColumns() {
  const facts = useTable((state) => state.facts);
  const fields = TABLE_FIELDS.map((id) => ({ id, isChecked: true, isDisabled: true, onAction: () => undefined }));
  const others = TABLE_FACTS.map((id) => ({ id, isChecked: facts.includes(id), onAction: () => toggleFact(id) }));
  const columns = [...fields, ...others].map((entry) => ({ ...entry, label: storeTexts.table.columns[entry.id] }));
  return <ColumnMenu label={texts.table.columns} columns={columns} />;
}

/** The selected items as a table that fills the window. The user reviews the changes before they are applied. */
export function TableDialog() {
  const target = useTable((state) => state.target);
  return target === null ? null : <OpenTable count={target.count} />;
}

function OpenTable({ count }: { count: number }) {
  const { model, timeZone, error, isChecking, isLeaving } = useTable();
  const applied = useAppliedChanges((state) => state.count);
  useEffect(() => {
    if (applied > 0) takeAppliedReview();
  }, [applied]);
  const changed = model?.changedCells ?? 0;
  return (
    <>
      <Dialog
        title={texts.table.title(model?.rows.length ?? count)}
        isFull
        isOpen
        onClose={leaveTable}
        footer={
          <>
            <span className={styles.hint}>{model === null ? null : texts.table.hint(timeZone)}</span>
            <FooterSpace />
            <Button onPress={leaveTable}>{texts.table.close}</Button>
            <Button variant="primary" isDisabled={changed === 0} isBusy={isChecking} onPress={() => void reviewTable()}>
              {texts.table.review(model?.changedRows ?? 0)}
            </Button>
          </>
        }
      >
        {error === null ? null : (
          <div className={styles.message}>
            <InlineError error={error}>
              <Button onPress={() => void (model === null ? readTable() : reviewTable())}>{texts.table.again}</Button>
            </InlineError>
          </div>
        )}
        {model === null ? (
          error === null ? (
            <div className={styles.message} role="status">
              <span>{texts.table.reading}</span>
              <ProgressBar label={texts.table.reading} value={null} />
            </div>
          ) : null
        ) : (
          <GridEditor
            name="items"
            label={texts.table.grid}
            model={model}
            onModel={setTable}
            rowLabel={(row) => texts.table.row(row + 1, model.rows[row]?.cells[0] ?? '')}
            tools={
              <>
                <TableColumns />
                <SeriesFill table={model} column="publishOn" nameColumn="title" onModel={setTable} />
              </>
            }
            autoFocus
          />
        )}
      </Dialog>
      <ConfirmDialog
        title={texts.table.leave.title(model?.changedRows ?? 0)}
        text={texts.table.leave.text}
        keep={texts.table.leave.keep}
        confirm={texts.table.leave.discard}
        isOpen={isLeaving}
        onConfirm={closeTable}
        onClose={stayInTable}
      />
    </>
  );
}
