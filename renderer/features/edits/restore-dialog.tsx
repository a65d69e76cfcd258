import { type FormEvent, useState } from 'react';
import type { EditRow } from '../../../shared/contract/edits.ts';
import type { OfferedItem } from '../../../shared/model/offered-items.ts';
import { Button } from '../../kit/components/button.tsx';
import { RadioList } from '../../kit/components/forms/radio-list.tsx';
import { Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import { formatDateTime } from '../../kit/text/format.ts';
import { ChangeLine } from '../common/change-line.tsx';
import { CollectionPicker } from '../common/collection-picker.tsx';
import { useCollectionNames } from '../common/use-collection-names.ts';
import styles from './edits.module.css';
import { closeRestore, offeredIn, restoreAsNew, useRestore } from './state/restore-store.ts';
import { texts } from './texts.ts';

const FORM = 'restore-as-new';
const words = texts.restore;

const ITEM = 'item ';
const NONE = 'none';
type Answer = `${typeof ITEM}${string}` | typeof NONE;
const answerOf = (id: string): Answer => `${ITEM}${id}`;

/** Offers to create a deleted item or collection again, with the edits that could not be sent. */
export function RestoreDialog() {
  const row = useRestore((state) => state.row);
  return row === null ? null : <RestoreForm key={row.id} row={row} />;
}

function RestoreForm({ row }: { row: EditRow }) {
  const { siteId, name, entityKind, changes } = row;
  const moved = changes.find(({ field }) => field === 'collection' || field === 'parent')?.after;
  const [collectionId, setCollectionId] = useState(row.placeId ?? null);
  const isBusy = useRestore((state) => state.isBusy);
  const error = useRestore((state) => state.error);
  const offered = offeredIn(error);
  const question = offered.map(({ id }) => id).join(' ');
  const [given, setGiven] = useState<{ question: string; answer: Answer } | null>(null);
  // An answer is valid only for its question: later, another item can be among the choices.
  const answer = given?.question === question ? given.answer : null;
  const isAsked = offered.length > 0 && answer === null;
  const isChosen = answer !== null && answer !== NONE;
  const nameOf = useCollectionNames(siteId, typeof moved === 'string' ? [moved] : []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (collectionId === null || isAsked) return;
    if (offered.length === 0) void restoreAsNew(collectionId);
    else void restoreAsNew(collectionId, isChosen ? answer.slice(ITEM.length) : null);
  };
  return (
    <Dialog
      title={words.title(name || texts.untitled)}
      isOpen
      onClose={closeRestore}
      width={520}
      footer={
        <>
          <FooterSpace />
          <Button onPress={closeRestore} isDisabled={isBusy}>
            {words.cancel}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={FORM}
            isBusy={isBusy}
            isDisabled={collectionId === null || isAsked}
          >
            {isChosen ? words.use : words.confirm}
          </Button>
        </>
      }
    >
      {error === null ? null : <InlineError error={error} />}
      <p>{words.text[entityKind]}</p>
      <div className={styles.restored}>
        {changes.map((change) => (
          <ChangeLine key={change.field} change={change} nameOf={nameOf} showsField />
        ))}
      </div>
      <form id={FORM} onSubmit={submit}>
        <CollectionPicker
          autoFocus
          label={words.place[entityKind]}
          siteId={siteId}
          value={collectionId}
          onChange={setCollectionId}
        />
        {offered.length === 0 ? null : (
          <RadioList
            label={words.question}
            value={answer ?? ''}
            options={optionsOf(offered)}
            onChange={(next) => setGiven({ question, answer: next })}
          />
        )}
      </form>
    </Dialog>
  );
}

/** Returns the choices: the items that an earlier request may have created, and none of them. */
function optionsOf(offered: readonly OfferedItem[]): { value: Answer; label: string; meaning?: string }[] {
  return [
    ...offered.map(({ id, title, createdOn }) => ({
      value: answerOf(id),
      label: title === '' ? texts.untitled : title,
      ...(createdOn === null ? {} : { meaning: words.created(formatDateTime(Date.parse(createdOn))) }),
    })),
    { value: NONE, label: words.none, meaning: words.noneMeaning },
  ];
}
