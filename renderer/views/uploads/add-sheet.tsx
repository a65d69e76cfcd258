import { type FormEvent, useState } from 'react';
import type { PublishChoice } from '../../../shared/contract/uploads.ts';
import { renderTitle } from '../../../shared/model/title-template.ts';
import { Button } from '../../components/button.tsx';
import { CollectionPicker } from '../../components/collection-picker.tsx';
import { Dialog, FooterSpace } from '../../components/dialog.tsx';
import { InlineError } from '../../components/empty-state.tsx';
import { TextField } from '../../components/field.tsx';
import { Segments } from '../../components/segments.tsx';
import { TagField } from '../../components/tag-field.tsx';
import { addUploads, type Chosen, chooseTarget, closeAddSheet, type Sample, useAdd } from '../../stores/add-store.ts';
import { showView } from '../../stores/app-store.ts';
import { fieldErrorsOf } from '../../text/errors.ts';
import { counted, formatBytes, fromLocalInput, localDay, toLocalInput } from '../../text/format.ts';
import { LocalTimeField, nextFullHour } from '../library/publish-section.tsx';
import { AddResult } from './add-result.tsx';
import styles from './add-sheet.module.css';

const FORM = 'add-uploads';

/** What will be added, where to, and what every item starts with. */
export function AddSheet() {
  const chosen = useAdd((state) => state.chosen);
  const isAdding = useAdd((state) => state.isAdding);
  const result = useAdd((state) => state.result);
  if (chosen === null) return null;
  if (result !== null) return <AddResult result={result} />;
  return (
    <Dialog
      title={`Add ${whatIs(chosen)}`}
      isOpen
      onClose={closeAddSheet}
      width={520}
      footer={
        <>
          <span className={styles.sum}>{chosen.bytes === null ? '' : formatBytes(chosen.bytes)}</span>
          <FooterSpace />
          <Button onPress={closeAddSheet}>Cancel</Button>
          <Button variant="primary" type="submit" form={FORM} isDisabled={isAdding}>
            {isAdding ? 'Adding…' : 'Add to the queue'}
          </Button>
        </>
      }
    >
      <AddForm chosen={chosen} />
    </Dialog>
  );
}

function whatIs(chosen: Chosen): string {
  if (chosen.fileCount !== null) return counted(chosen.fileCount, 'file');
  return chosen.paths.length === 1 ? 'a folder' : counted(chosen.paths.length, 'item');
}

type PublishKind = PublishChoice['kind'];

const PUBLISH: readonly { value: PublishKind; label: string }[] = [
  { value: 'draft', label: 'Leave as draft' },
  { value: 'now', label: 'When complete' },
  { value: 'at', label: 'At a time' },
];

function AddForm({ chosen }: { chosen: Chosen }) {
  const siteId = useAdd((state) => state.siteId);
  const collectionId = useAdd((state) => state.collectionId);
  const error = useAdd((state) => state.error);
  const [titleTemplate, setTemplate] = useState('{name}');
  const [tags, setTags] = useState<string[]>([]);
  const [kind, setKind] = useState<PublishKind>('draft');
  const [at, setAt] = useState(() => toLocalInput(nextFullHour(Date.now())));
  const [isMissing, setMissing] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (collectionId === null) return setMissing(true);
    const instant = fromLocalInput(at);
    if (kind === 'at' && instant === null) return;
    const publish: PublishChoice =
      kind === 'at' && instant !== null ? { kind, at: instant } : { kind: kind === 'now' ? 'now' : 'draft' };
    void addUploads({ titleTemplate: titleTemplate.trim() || '{name}', tags, publish }).then(() => {
      if (useAdd.getState().chosen === null) showView('uploads');
    });
  };
  return (
    <form id={FORM} className={styles.form} onSubmit={submit}>
      {error === null ? null : (
        <InlineError error={error}>
          {fieldErrorsOf(error, []).general.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </InlineError>
      )}
      <CollectionPicker
        label="Collection"
        siteId={siteId}
        value={collectionId}
        autoFocus={collectionId === null}
        onChange={(id) => {
          chooseTarget(id);
          setMissing(false);
        }}
        error={isMissing ? 'Choose the collection that they go to.' : null}
      />
      <div className={styles.titles}>
        <TextField
          label="Titles"
          value={titleTemplate}
          onChange={setTemplate}
          autoFocus={collectionId !== null}
          spellCheck="false"
        />
        <Tokens
          onAdd={(token) => setTemplate((text) => `${text}${text === '' || text.endsWith(' ') ? '' : ' '}${token}`)}
        />
        <Preview template={titleTemplate} chosen={chosen} />
      </div>
      <TagField label="Tags for all of them" tags={tags} onChange={setTags} />
      <Segments label="Publish" value={kind} options={PUBLISH} onChange={setKind} />
      {kind === 'at' ? <LocalTimeField label="Publish at" value={at} onChange={setAt} /> : null}
    </form>
  );
}

const TOKENS: readonly { token: string; meaning: string }[] = [
  { token: '{name}', meaning: 'file name without its extension' },
  { token: '{folder}', meaning: 'folder that holds the file' },
  { token: '{nn}', meaning: 'number in this batch' },
  { token: '{date}', meaning: 'day the file was changed' },
];

function Tokens({ onAdd }: { onAdd: (token: string) => void }) {
  return (
    <div className={styles.tokens}>
      {TOKENS.map(({ token, meaning }) => (
        <button key={token} type="button" className={styles.token} title={meaning} onClick={() => onAdd(token)}>
          {token}
        </button>
      ))}
    </div>
  );
}

function Preview({ template, chosen }: { template: string; chosen: Chosen }) {
  if (chosen.samples.length === 0) return null;
  const titleOf = (sample: Sample, index: number) =>
    renderTitle(template.trim() || '{name}', {
      fileName: sample.fileName,
      folderName: sample.folderName,
      number: index + 1,
      date: localDay(sample.modifiedAt ?? Date.now()),
    });
  return (
    <ul className={styles.preview} aria-label="Preview of the names">
      {chosen.samples.map((sample, index) => (
        <li key={`${sample.folderName}/${sample.fileName}`}>
          <span className={styles.from}>{sample.isExample ? `for example ${sample.fileName}` : sample.fileName}</span>
          <span className={styles.to}>{titleOf(sample, index)}</span>
        </li>
      ))}
    </ul>
  );
}
