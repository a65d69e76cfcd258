import { Copy } from 'lucide-react';
import { Fragment } from 'react';
import { Button } from '../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { copy } from '../common/commands/commands.ts';
import { texts as sharedTexts } from '../common/texts.ts';
import styles from './edits.module.css';
import { valuesOf } from './row-values.ts';
import { closeRowDialogs, useRowDialogs } from './state/row-dialogs-store.ts';
import { texts } from './texts.ts';
import { ValueView } from './value-view.tsx';

const words = texts.values;

/** Shows every value of an edit, including values that were not chosen in a decision, each with a button that copies it. */
export function ValuesDialog() {
  const row = useRowDialogs((state) => state.values);
  if (row === null) return null;
  return (
    <Dialog
      title={words.title(row.name || texts.untitled)}
      width={560}
      isOpen
      onClose={closeRowDialogs}
      footer={
        <>
          <FooterSpace />
          <Button onPress={closeRowDialogs}>{words.close}</Button>
        </>
      }
    >
      {row.changes.map((change) => {
        const values = valuesOf(change);
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
                  <dt>{words.parts[part]}</dt>
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
                      aria-label={words.copyOf(words.parts[part], field)}
                      onPress={() => void copy(text)}
                    >
                      {words.copy}
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
