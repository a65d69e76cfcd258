import { type FormEvent, useState } from 'react';
import type { EditRow } from '../../../shared/contract/edits.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, FooterSpace } from '../../components/overlay/dialog.tsx';
import { InlineError } from '../../components/status/empty-state.tsx';
import { reviseEdit } from '../../stores/edits/edits-store.ts';
import { closeRowDialogs, useRowDialogs } from '../../stores/edits/row-dialogs-store.ts';
import { fieldErrorsOf } from '../../text/errors.ts';
import { texts as sharedTexts } from '../shared/texts.ts';
import styles from './edits.module.css';
import { NewValue } from './new-value.tsx';
import { revisableChanges } from './row-values.ts';
import { texts } from './texts.ts';

const FORM = 'revise-edit';
const words = texts.revise;

/** Changes the texts of an edit that the library refused, and sends it again. */
export function ReviseDialog() {
  const row = useRowDialogs((state) => state.revised);
  return row === null ? null : <ReviseForm key={row.id} row={row} />;
}

/** What the library wrote about each field, and in general. */
function problemsOf(row: EditRow): ReturnType<typeof fieldErrorsOf> {
  if (row.error === null) return { fields: {}, general: [] };
  const shown = revisableChanges(row).map(({ field }) => field);
  const { fields, general } = fieldErrorsOf(row.error, shown);
  const message = row.error.details?.message;
  return { fields, general: typeof message === 'string' ? [message, ...general] : general };
}

function ReviseForm({ row }: { row: EditRow }) {
  const changes = revisableChanges(row);
  const { fields: problems, general } = problemsOf(row);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(changes.map(({ field, after }) => [field, String(after)])),
  );
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    if (await reviseEdit(row.id, values)) closeRowDialogs();
    else setBusy(false);
  };
  return (
    <Dialog
      title={words.title(row.name || texts.untitled)}
      width={560}
      isOpen
      onClose={closeRowDialogs}
      footer={
        <>
          <FooterSpace />
          <Button onPress={closeRowDialogs}>{words.cancel}</Button>
          <Button variant="primary" type="submit" form={FORM} isBusy={isBusy}>
            {words.confirm}
          </Button>
        </>
      }
    >
      {row.error === null ? null : (
        <InlineError error={row.error} isNotice>
          {general.map((problem) => (
            <p key={problem}>{words.wrote(problem)}</p>
          ))}
        </InlineError>
      )}
      <form id={FORM} className={styles.decide} onSubmit={(event) => void submit(event)}>
        {changes.map(({ field, after }, index) => (
          <NewValue
            key={field}
            field={field}
            label={sharedTexts.fields[field]}
            autoFocus={index === 0}
            value={values[field] ?? ''}
            error={
              problems[field] !== undefined && values[field] === String(after) ? { message: problems[field] } : null
            }
            onChange={(value) => setValues((before) => ({ ...before, [field]: value }))}
          />
        ))}
      </form>
    </Dialog>
  );
}
