import type { FormEvent } from 'react';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { RadioList } from '../../../kit/components/forms/radio-list.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { texts } from '../selection/texts.ts';
import { closeExport, type SpreadsheetFormat, saveExport, useExport } from '../state/manifest/export-store.ts';
import styles from './manifest.module.css';

const FORM = 'export-items';
const words = texts.manifest.export;
const FORMATS = (['xlsx', 'csv'] as const satisfies readonly SpreadsheetFormat[]).map((value) => ({
  value,
  ...words.formats[value],
}));

/** Asks for the format in which items are exported. */
export function ExportDialog() {
  const { target, format, protects, isSaving, error } = useExport();
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
          <Button variant="primary" type="submit" form={FORM} isDisabled={isSaving} autoFocus>
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
        <p className={styles.hint}>{words.hint}</p>
      </form>
    </Dialog>
  );
}
