import { useState } from 'react';
import type { EditRow } from '../../../shared/contract/edits.ts';
import { FormDialog } from '../../kit/components/overlay/form-dialog.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import { fieldErrorsOf } from '../../kit/text/errors.ts';
import { texts as sharedTexts } from '../common/texts.ts';
import { NewValue } from './new-value.tsx';
import { revisableChanges } from './row-values.ts';
import { reviseEdit } from './state/edits-store.ts';
import { closeRowDialogs, useRowDialogs } from './state/row-dialogs-store.ts';
import { texts } from './texts.ts';

const words = texts.revise;

/** Lets the user change the texts of an edit that the library refused, and sends the edit again. */
export function ReviseDialog() {
  const row = useRowDialogs((state) => state.revised);
  return row === null ? null : <ReviseForm key={row.id} row={row} />;
}

/** Returns the messages of the library about each field, and its general messages. */
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
  const submit = async () => {
    setBusy(true);
    if (await reviseEdit(row.id, values)) closeRowDialogs();
    else setBusy(false);
  };
  return (
    <FormDialog
      title={words.title(row.name || texts.untitled)}
      action={words.confirm}
      width={560}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={closeRowDialogs}
    >
      {row.error === null ? null : (
        <InlineError error={row.error} isNotice>
          {general.map((problem) => (
            <p key={problem}>{words.wrote(problem)}</p>
          ))}
        </InlineError>
      )}
      {changes.map(({ field, after }, index) => (
        <NewValue
          key={field}
          field={field}
          label={sharedTexts.fields[field]}
          autoFocus={index === 0}
          value={values[field] ?? ''}
          error={problems[field] !== undefined && values[field] === String(after) ? { message: problems[field] } : null}
          onChange={(value) => setValues((before) => ({ ...before, [field]: value }))}
        />
      ))}
    </FormDialog>
  );
}
