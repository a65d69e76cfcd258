import { ChevronRight, CircleAlert } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { DuplicateChoice, PublishChoice, SourceChoice } from '../../../../shared/contract/upload-choices.ts';
import type { UploadsPreview } from '../../../../shared/contract/uploads.ts';
import { renderTitle, TITLE_TOKENS, titleTemplateProblem } from '../../../../shared/model/title-template.ts';
import { Button } from '../../../components/button.tsx';
import { TextField } from '../../../components/forms/field.tsx';
import { Segments } from '../../../components/forms/segments.tsx';
import { TagField } from '../../../components/forms/tag-field.tsx';
import { draftOfTime, instantOfDraft, nextFullHour } from '../../../components/forms/zoned-time-draft.ts';
import { ZonedTimeField } from '../../../components/forms/zoned-time-field.tsx';
import { Dialog, FooterSpace } from '../../../components/overlay/dialog.tsx';
import { InlineError } from '../../../components/status/empty-state.tsx';
import { offerSignIn, showView } from '../../../stores/app/app-store.ts';
import { announce } from '../../../stores/app/messages-store.ts';
import { addUploads, chooseSidecars, chooseTarget, closeAddSheet, useAdd } from '../../../stores/uploads/add-store.ts';
import { fieldErrorsOf } from '../../../text/errors.ts';
import { isoOf, zoneName } from '../../../text/format.ts';
import { ClockNotice } from '../../shared/clock-notice.tsx';
import { CollectionPicker } from '../../shared/collection-picker.tsx';
import { texts } from '../texts.ts';
import { DuplicatesField, SidecarsField, SourceField } from './add-more.tsx';
import { AddResult } from './add-result.tsx';
import styles from './add-sheet.module.css';
import { moreSentence, sheetRemark, sheetSum, sheetTitle } from './preview-text.ts';
import { type SheetField, type SheetProblem, sheetProblems } from './sheet-problems.ts';

const FORM = 'add-uploads';
const PROBLEM = 'add-uploads-problem';

/** The sheet before adding: files, collection, and the initial fields of every item. */
export function AddSheet() {
  const isOpen = useAdd((state) => state.paths !== null);
  const preview = useAdd((state) => state.preview);
  const isAdding = useAdd((state) => state.isAdding);
  const result = useAdd((state) => state.result);
  const [problems, setProblems] = useState<readonly SheetProblem[]>([]);
  const [first] = problems;
  useEffect(() => {
    if (!isOpen) setProblems([]);
  }, [isOpen]);
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
          {first === undefined ? (
            <span className={styles.sum} role="status">
              {sheetSum(preview)}
            </span>
          ) : (
            <span id={PROBLEM} className={styles.blocked} role="alert">
              <CircleAlert size={14} aria-hidden />
              {first.message}
            </span>
          )}
          <FooterSpace />
          <Button onPress={closeAddSheet} isDisabled={isAdding}>
            {texts.sheet.cancel}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={FORM}
            isDisabled={isAdding}
            {...(first === undefined ? {} : { 'aria-describedby': PROBLEM })}
          >
            {isAdding ? texts.sheet.submitting : texts.sheet.submit}
          </Button>
        </>
      }
    >
      <AddForm preview={preview} problems={problems} onProblems={setProblems} />
    </Dialog>
  );
}

type PublishKind = PublishChoice['kind'];

const PUBLISH: readonly { value: PublishKind; label: string }[] = (['draft', 'now', 'at'] as const).map((value) => ({
  value,
  label: texts.sheet.publishOptions[value],
}));

interface AddFormProps {
  preview: UploadsPreview | null;
  /** The problems of the last attempt that are not corrected. */
  problems: readonly SheetProblem[];
  onProblems: (problems: readonly SheetProblem[]) => void;
}

function AddForm({ preview, problems, onProblems }: AddFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const siteId = useAdd((state) => state.siteId);
  const collectionId = useAdd((state) => state.collectionId);
  const error = useAdd((state) => state.error);
  const [titleTemplate, setTemplate] = useState('{name}');
  const [tags, setTags] = useState<string[]>([]);
  const [kind, setKind] = useState<PublishKind>('draft');
  const [at, setAt] = useState(() => draftOfTime(nextFullHour(Date.now()), zoneName()));
  const [isOpen, setOpen] = useState(false);
  const [duplicates, setDuplicates] = useState<DuplicateChoice>('ask');
  const sidecars = useAdd((state) => state.sidecars);
  const [sourceKind, setSourceKind] = useState<SourceChoice['kind']>('keep');
  const [folder, setFolder] = useState<string | null>(null);
  const isCounting = useAdd((state) => state.isCounting);
  const templateProblem = titleTemplateProblem(titleTemplate);
  const remark = sheetRemark(preview);
  // During a new count the earlier counts are outdated.
  const known = isCounting ? null : preview;

  const epochMs = instantOfDraft(at);
  const instant = epochMs === null ? null : isoOf(epochMs);
  const current = sheetProblems({
    ...{ collectionId, titleTemplate, folder },
    ...{ publish: kind, publishAt: instant, source: sourceKind },
  });
  const problemOf = (field: SheetField) => problems.find((problem) => problem.field === field)?.message ?? null;
  // A corrected problem disappears; a new one is shown only at the next attempt.
  const left = problems.filter(({ field }) => current.some((problem) => problem.field === field));
  useEffect(() => {
    if (left.length < problems.length) onProblems(left);
  });
  useEffect(() => {
    if (error !== null) form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [error]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onProblems(current);
    const [first] = current;
    if (first !== undefined) {
      if (first.field === 'source-folder') setOpen(true);
      announce(first.message);
      // The collapsed part is rendered at the next frame.
      requestAnimationFrame(() => showField(form.current, first.field));
      return;
    }
    if (collectionId === null) return;
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
    <form ref={form} id={FORM} className={styles.form} onSubmit={submit} noValidate>
      {error === null ? null : (
        <InlineError error={error}>
          {fieldErrorsOf(error, []).general.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {error.code === 'sign-in.required' ? (
            <Button onPress={() => offerSignIn(siteId)}>{texts.sheet.signIn}</Button>
          ) : null}
        </InlineError>
      )}
      {remark === null ? null : <p className={styles.lead}>{remark}</p>}
      <div data-field="collection">
        <CollectionPicker
          label={texts.sheet.into}
          siteId={siteId}
          value={collectionId}
          autoFocus={collectionId === null}
          onChange={chooseTarget}
          error={problemOf('collection')}
        />
      </div>
      <div className={styles.titles} data-field="titles">
        <TextField
          label={texts.sheet.titles}
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
      <TagField label={texts.sheet.tags} tags={tags} onChange={setTags} />
      <Segments label={texts.sheet.publish} value={kind} options={PUBLISH} onChange={setKind} />
      {kind === 'at' ? (
        <div data-field="publish-at">
          <ZonedTimeField
            label={texts.sheet.publishAt}
            draft={at}
            onChange={setAt}
            isInvalid={problemOf('publish-at') !== null}
          />
          <ClockNotice siteId={siteId} />
        </div>
      ) : null}
      <Disclosure className={styles.more ?? ''} isExpanded={isOpen} onExpandedChange={setOpen}>
        <Heading level={3} className={styles.moreHead ?? ''}>
          <AriaButton slot="trigger" className={styles.moreButton ?? ''}>
            <ChevronRight size={14} aria-hidden />
            <span className={styles.moreTitle}>{texts.sheet.more}</span>
            {isOpen ? null : <span className={styles.moreSum}>{moreSentence(duplicates, sidecars, sourceKind)}</span>}
          </AriaButton>
        </Heading>
        <DisclosurePanel className={styles.morePanel ?? ''}>
          <DuplicatesField value={duplicates} likely={known?.likelyDuplicates ?? null} onChange={setDuplicates} />
          <SidecarsField isOn={sidecars} found={known?.sidecars ?? null} onChange={chooseSidecars} />
          <SourceField
            kind={sourceKind}
            folder={folder}
            error={problemOf('source-folder')}
            onChange={(nextKind, nextFolder) => {
              setSourceKind(nextKind);
              setFolder(nextFolder);
            }}
          />
        </DisclosurePanel>
      </Disclosure>
    </form>
  );
}

/** Scrolls to a field and focuses it. */
function showField(form: HTMLFormElement | null, field: SheetField): void {
  const place = form?.querySelector(`[data-field="${field}"]`);
  place?.scrollIntoView({ block: 'center' });
  place?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true });
}

/** The tokens with a button. */
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

/** Shows the titles that the first files would get. */
function Preview({ template, names }: PreviewProps) {
  if (names.length === 0) return null;
  return (
    <ul className={styles.preview} aria-label={texts.sheet.preview}>
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
