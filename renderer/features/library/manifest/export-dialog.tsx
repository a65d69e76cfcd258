import type { FormEvent } from 'react';
import { DEFAULT_EXPORT_COLUMNS, EXPORT_COLUMNS, type ExportColumn } from '../../../../shared/model/manifest/fields.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { RadioList } from '../../../kit/components/forms/radio-list.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { texts } from '../selection/texts.ts';
import {
  chooseColumns,
  chooseListedColumns,
  closeExport,
  type SpreadsheetFormat,
  saveExport,
  toggleExportColumn,
  useExport,
} from '../state/manifest/export-store.ts';
import { texts as storeTexts } from '../state/texts.ts';
import styles from './manifest.module.css';

const FORM = 'export-items';
const words = texts.manifest.export;
const FORMATS = (['xlsx', 'csv'] as const satisfies readonly SpreadsheetFormat[]).map((value) => ({
  value,
  ...words.formats[value],
}));

/** Chooses the columns. Each is written once, in the order below the boxes. */
function ExportColumns({ columns }: { columns: readonly ExportColumn[] }) {
  const labels = storeTexts.table.columns;
  return (
    <fieldset className={styles.columns}>
      <legend>{words.columns}</legend>
      <div className={styles.boxes}>
        {EXPORT_COLUMNS.map((column) => (
          <Checkbox key={column} isSelected={columns.includes(column)} onChange={() => toggleExportColumn(column)}>
            {labels[column]}
          </Checkbox>
        ))}
      </div>
      <p className={styles.order} role="status">
        {words.order(columns.map((column) => labels[column]))}
      </p>
      <div className={styles.sets}>
        <Button onPress={chooseListedColumns}>{words.asListed}</Button>
        <Button onPress={() => chooseColumns(DEFAULT_EXPORT_COLUMNS)}>{words.usual}</Button>
        <Button onPress={() => chooseColumns(EXPORT_COLUMNS)}>{words.all}</Button>
      </div>
    </fieldset>
  );
}

/** Asks for the format and the columns of an export. */
export function ExportDialog() {
  const { target, format, protects, columns, isSaving, error } = useExport();
  if (target === null) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void saveExport();
  };
  return (
    <Dialog
      title={words.title(target.count)}
      isOpen
      onClose={closeExport}
      footer={
        <>
          <FooterSpace />
          <Button onPress={closeExport} isDisabled={isSaving}>
            {texts.manifest.cancel}
          </Button>
          <Button variant="primary" type="submit" form={FORM} isDisabled={isSaving || columns.length === 0} autoFocus>
            {isSaving ? words.saving : words.save}
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} onSubmit={submit}>
        {error === null ? null : <InlineError error={error} />}
        <RadioList
          label={words.format}
          value={format}
          options={FORMATS}
          onChange={(next) => useExport.setState({ format: next })}
        />
        {format === 'csv' ? (
          <div>
            <Checkbox isSelected={protects} onChange={(next) => useExport.setState({ protects: next })}>
              {words.protects}
            </Checkbox>
            <p className={styles.meaning}>{words.protectsMeaning}</p>
          </div>
        ) : null}
        <ExportColumns columns={columns} />
        <p className={styles.hint}>{columns.includes('id') ? words.hint : words.noId}</p>
      </form>
    </Dialog>
  );
}
