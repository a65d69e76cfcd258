import { ChevronRight } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { DuplicateChoice, PublishChoice, SourceChoice, UploadsPreview } from '../../../shared/contract/uploads.ts';
import { renderTitle, TITLE_TOKENS, titleTemplateProblem } from '../../../shared/model/title-template.ts';
import { Button } from '../../components/button.tsx';
import { CollectionPicker } from '../../components/collection-picker.tsx';
import { Dialog, FooterSpace } from '../../components/dialog.tsx';
import { InlineError } from '../../components/empty-state.tsx';
import { TextField } from '../../components/field.tsx';
import { Segments } from '../../components/segments.tsx';
import { TagField } from '../../components/tag-field.tsx';
import { addUploads, chooseSidecars, chooseTarget, closeAddSheet, useAdd } from '../../stores/add-store.ts';
import { offerSignIn, showView } from '../../stores/app-store.ts';
import { fieldErrorsOf } from '../../text/errors.ts';
import { fromLocalInput, toLocalInput } from '../../text/format.ts';
import { moreSentence, sheetRemark, sheetSum, sheetTitle } from '../../text/preview-text.ts';
import { LocalTimeField, nextFullHour } from '../library/publish-section.tsx';
import { DuplicatesField, SidecarsField, SourceField } from './add-more.tsx';
import { AddResult } from './add-result.tsx';
import styles from './add-sheet.module.css';

const FORM = 'add-uploads';

/** What will be added, where to, and what every item starts with. */
export function AddSheet() {
  const isOpen = useAdd((state) => state.paths !== null);
  const preview = useAdd((state) => state.preview);
  const isAdding = useAdd((state) => state.isAdding);
  const result = useAdd((state) => state.result);
  if (!isOpen) return null;
  if (result !== null) return <AddResult result={result} />;
  return (
    <Dialog
      title={sheetTitle(preview)}
      isOpen
      onClose={closeAddSheet}
      width={520}
      footer={
        <>
          <span className={styles.sum} role="status">
            {sheetSum(preview)}
          </span>
          <FooterSpace />
          <Button onPress={closeAddSheet} isDisabled={isAdding}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={FORM} isDisabled={isAdding}>
            {isAdding ? 'Adding…' : 'Add to the queue'}
          </Button>
        </>
      }
    >
      <AddForm preview={preview} />
    </Dialog>
  );
}

type PublishKind = PublishChoice['kind'];

const PUBLISH: readonly { value: PublishKind; label: string }[] = [
  { value: 'draft', label: 'Leave as draft' },
  { value: 'now', label: 'When complete' },
  { value: 'at', label: 'At a time' },
];

function AddForm({ preview }: { preview: UploadsPreview | null }) {
  const siteId = useAdd((state) => state.siteId);
  const collectionId = useAdd((state) => state.collectionId);
  const error = useAdd((state) => state.error);
  const [titleTemplate, setTemplate] = useState('{name}');
  const [tags, setTags] = useState<string[]>([]);
  const [kind, setKind] = useState<PublishKind>('draft');
  const [at, setAt] = useState(() => toLocalInput(nextFullHour(Date.now())));
  const [isMissing, setMissing] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [duplicates, setDuplicates] = useState<DuplicateChoice>('ask');
  const sidecars = useAdd((state) => state.sidecars);
  const [sourceKind, setSourceKind] = useState<SourceChoice['kind']>('keep');
  const [folder, setFolder] = useState<string | null>(null);
  const [folderError, setFolderError] = useState<string | null>(null);
  const isLooking = useAdd((state) => state.isLooking);
  const templateProblem = titleTemplateProblem(titleTemplate);
  const remark = sheetRemark(preview);
  // What is counted again is not known until then.
  const known = isLooking ? null : preview;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (collectionId === null) return setMissing(true);
    // The field says why.
    if (templateProblem !== null) return;
    const instant = fromLocalInput(at);
    if (kind === 'at' && instant === null) return;
    if (sourceKind === 'move' && folder === null) {
      setOpen(true);
      return setFolderError('Choose the folder that the files go to.');
    }
    const source: SourceChoice =
      sourceKind === 'move' && folder !== null
        ? { kind: 'move', folder }
        : { kind: sourceKind === 'trash' ? 'trash' : 'keep' };
    const publish: PublishChoice =
      kind === 'at' && instant !== null ? { kind, at: instant } : { kind: kind === 'now' ? 'now' : 'draft' };
    const defaults = { titleTemplate: titleTemplate.trim() || '{name}', tags, publish, duplicates, sidecars, source };
    void addUploads(defaults).then((isClosed) => {
      if (isClosed) showView('uploads');
    });
  };
  return (
    <form id={FORM} className={styles.form} onSubmit={submit}>
      {error === null ? null : (
        <InlineError error={error}>
          {fieldErrorsOf(error, []).general.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {error.code === 'sign-in.required' ? (
            <Button onPress={() => offerSignIn(siteId)}>Sign in again</Button>
          ) : null}
        </InlineError>
      )}
      {remark === null ? null : <p className={styles.lead}>{remark}</p>}
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
          error={templateProblem === null ? null : { message: templateProblem }}
        />
        <Tokens
          onAdd={(token) => setTemplate((text) => `${text}${text === '' || text.endsWith(' ') ? '' : ' '}${token}`)}
        />
        {templateProblem === null ? <Preview template={titleTemplate} names={preview?.firstNames ?? []} /> : null}
      </div>
      <TagField label="Tags for all of them" tags={tags} onChange={setTags} />
      <Segments label="Publish" value={kind} options={PUBLISH} onChange={setKind} />
      {kind === 'at' ? <LocalTimeField label="Publish at" value={at} onChange={setAt} /> : null}
      <Disclosure className={styles.more ?? ''} isExpanded={isOpen} onExpandedChange={setOpen}>
        <Heading level={3} className={styles.moreHead ?? ''}>
          <AriaButton slot="trigger" className={styles.moreButton ?? ''}>
            <ChevronRight size={14} aria-hidden />
            <span className={styles.moreTitle}>More</span>
            {isOpen ? null : <span className={styles.moreSum}>{moreSentence(duplicates, sidecars, sourceKind)}</span>}
          </AriaButton>
        </Heading>
        <DisclosurePanel className={styles.morePanel ?? ''}>
          <DuplicatesField value={duplicates} likely={known?.likelyDuplicates ?? null} onChange={setDuplicates} />
          <SidecarsField isOn={sidecars} found={known?.sidecars ?? null} onChange={chooseSidecars} />
          <SourceField
            kind={sourceKind}
            folder={folder}
            error={folderError}
            onChange={(nextKind, nextFolder) => {
              setSourceKind(nextKind);
              setFolder(nextFolder);
              setFolderError(null);
            }}
          />
        </DisclosurePanel>
      </Disclosure>
    </form>
  );
}

/** The tokens that are offered as buttons. */
const OFFERED = ['name', 'folder', 'nn', 'date'] as const;

function Tokens({ onAdd }: { onAdd: (token: string) => void }) {
  return (
    <div className={styles.tokens}>
      {OFFERED.map((token) => (
        <button
          key={token}
          type="button"
          className={styles.token}
          title={TITLE_TOKENS[token]}
          onClick={() => onAdd(`{${token}}`)}
        >
          {`{${token}}`}
        </button>
      ))}
    </div>
  );
}

interface PreviewProps {
  template: string;
  names: UploadsPreview['firstNames'];
}

/** The first titles as they will be, from real names. */
function Preview({ template, names }: PreviewProps) {
  if (names.length === 0) return null;
  return (
    <ul className={styles.preview} aria-label="Preview of the names">
      {names.map(({ fileName, folderName, date }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two folders may hold files of one name; the order is what counts
        <li key={index}>
          <span className={styles.from}>{fileName}</span>
          <span className={styles.to}>
            {renderTitle(template.trim() || '{name}', { fileName, folderName, number: index + 1, date })}
          </span>
        </li>
      ))}
    </ul>
  );
}
