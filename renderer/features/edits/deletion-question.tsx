import { type FormEvent, useState } from 'react';
import type { EditRow } from '../../../shared/contract/edits.ts';
import { Button } from '../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import { Answers, ForAll } from './answers.tsx';
import styles from './edits.module.css';
import { closeDecision, saveDecision } from './state/decide-store.ts';
import { texts } from './texts.ts';
import { FieldValues } from './values.tsx';

const FORM = 'decide-deletion';
const words = texts.decide;

interface DeletionQuestionProps {
  row: EditRow;
  change: EditRow['changes'][number];
}

/** Asks about the deletion of an item or collection that someone else changed in the meantime, and shows these changes. */
export function DeletionQuestion({ row, change }: DeletionQuestionProps) {
  const [kind, setKind] = useState<'theirs' | 'mine'>('theirs');
  const [isForAll, setForAll] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const of = words.deletion[row.entityKind];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    await saveDecision({ row, field: 'item', choice: { kind }, isForAll });
  };
  return (
    <Dialog
      title={words.deletion.title(row.name || texts.untitled)}
      width={560}
      isOpen
      onClose={closeDecision}
      footer={
        <>
          <FooterSpace />
          <Button onPress={closeDecision}>{words.cancel}</Button>
          <Button variant={kind === 'mine' ? 'danger' : 'primary'} type="submit" form={FORM} isDisabled={isBusy}>
            {kind === 'mine' ? words.deletion.confirm : words.confirm}
          </Button>
        </>
      }
    >
      {row.error === null ? null : <InlineError error={row.error} isNotice />}
      <form id={FORM} className={styles.decide} onSubmit={(event) => void submit(event)}>
        {row.entityKind === 'collection' ? (
          <FieldValues
            siteId={row.siteId}
            field="item"
            title={words.deletion.contents}
            values={[
              { name: words.deletion.confirmed, value: change.before },
              { name: words.theirs, value: change.theirs },
            ]}
          />
        ) : null}
        {(change.since ?? []).map(({ field, before, after }) => (
          <FieldValues
            key={field}
            siteId={row.siteId}
            field={field}
            values={[
              ...(before === null ? [] : [{ name: words.deletion.before, value: before }]),
              { name: words.theirs, value: after },
            ]}
          />
        ))}
        <Answers
          label={words.deletion.question}
          answers={[
            { kind: 'theirs', label: of.keep },
            { kind: 'mine', label: of.remove },
          ]}
          kind={kind}
          onChange={setKind}
        />
        <ForAll
          siteId={row.siteId}
          question={words.deletion.sameForAll[row.entityKind]}
          isSelected={isForAll}
          onChange={setForAll}
        />
      </form>
    </Dialog>
  );
}
