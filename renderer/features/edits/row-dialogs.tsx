import { Copy } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { EditRow } from '../../../shared/contract/edits.ts';
import { Button } from '../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { FormDialog } from '../../kit/components/overlay/form-dialog.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import { fieldErrorsOf } from '../../kit/text/errors.ts';
import { copyToClipboard } from '../common/commands/commands.ts';
import { texts as sharedTexts } from '../common/texts.ts';
import { NewValue } from './answers.tsx';
import styles from './edits.module.css';
import { copyableValues, revisableChanges } from './row-values.ts';
import { reviseEdit } from './state/edits-store.ts';
import { closeRowDialogs, useRowDialogs } from './state/row-dialogs-store.ts';
import { texts } from './texts.ts';
import { ValueView } from './values.tsx';

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

const valueWords = texts.values;

/** Shows every value of an edit, including values that were not chosen in a decision, each with a button that copies it. */
export function ValuesDialog() {
  const row = useRowDialogs((state) => state.values);
  if (row === null) return null;
  return (
    <Dialog
      title={valueWords.title(row.name || texts.untitled)}
      width={560}
      isOpen
      onClose={closeRowDialogs}
      footer={
        <>
          <FooterSpace />
          <Button onPress={closeRowDialogs}>{valueWords.close}</Button>
        </>
      }
    >
      {row.changes.map((change) => {
        const values = copyableValues(change);
        if (values.length === 0) return null;
        const field = sharedTexts.fields[change.field];
        const changed = values.filter(({ part }) => part !== 'base').map(({ value }) => value);
        const all = [change.before, ...changed];
        return (
          <section key={change.field} className={styles.rowValues} aria-label={field}>
            <h3 className={styles.field}>{field}</h3>
            <dl className={styles.values}>
              {values.map(({ part, value, text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the values of an open dialog do not change
                <Fragment key={index}>
                  <dt>{valueWords.parts[part]}</dt>
                  <dd className={styles.rowValue}>
                    <div data-selectable>
                      <ValueView
                        field={change.field}
                        value={value}
                        nameOf={() => null}
                        beside={all}
                        isBase={part === 'base'}
                      />
                    </div>
                    <Button
                      icon={<Copy size={13} aria-hidden />}
                      aria-label={valueWords.copyOf(valueWords.parts[part], field)}
                      onPress={() => void copyToClipboard(text)}
                    >
                      {valueWords.copy}
                    </Button>
                  </dd>
                </Fragment>
              ))}
            </dl>
          </section>
        );
      })}
    </Dialog>
  );
}
