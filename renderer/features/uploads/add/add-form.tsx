import { ChevronRight } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { PublishChoice } from '../../../../shared/contract/upload-choices.ts';
import { TITLE_TOKENS, titleTemplateProblem } from '../../../../shared/model/title-template.ts';
import { PRIORITIES } from '../../../../shared/model/uploads/priorities.ts';
import { Button, classes } from '../../../kit/components/button.tsx';
import { Segments } from '../../../kit/components/forms/choice.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { TagField } from '../../../kit/components/forms/tag-field.tsx';
import { TokenButtons, withToken } from '../../../kit/components/forms/token-buttons.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { fieldErrorsOf } from '../../../kit/text/errors.ts';
import { CollectionPicker } from '../../common/collection-picker.tsx';
import { PresetMenu } from '../../common/presets/saved-menu.tsx';
import { offerSignIn, showView } from '../../common/state/app-store.ts';
import { announce } from '../../common/state/messages-store.ts';
import { tableSumOf } from '../state/add-files.ts';
import { defaultsOf, optionsOf, presetOf } from '../state/add-options.ts';
import { chooseOptions, chooseSidecars, chooseTarget, filesOf, useAdd } from '../state/add-store.ts';
import { addUploads } from '../state/add-uploads.ts';
import { DuplicatesField, SidecarsField, SourceField } from './add-more.tsx';
import styles from './add-sheet.module.css';
import parts from './parts.module.css';
import { moreSentence } from './preview-text.ts';
import { PublishTimes, usePublishTimes } from './publish-times.tsx';
import { type SheetField, type SheetProblem, sheetProblems } from './sheet-problems.ts';
import { texts } from './texts.ts';

/** The id of the form, for the button in the footer. */
export const ADD_FORM = 'add-uploads';

const PUBLISH: readonly { value: PublishChoice['kind']; label: string }[] = (['draft', 'now', 'at'] as const).map(
  (value) => ({ value, label: texts.sheet.publishOptions[value] }),
);
const PRIORITY = PRIORITIES.map((value) => ({ value, label: texts.sheet.priorities[value] }));

/** The tokens with a button. */
const OFFERED = (['name', 'folder', 'nn', 'date', 'recorded', 'tag.title', 'tag.artist'] as const).map((token) => ({
  token,
  meaning: TITLE_TOKENS[token],
}));

interface AddFormProps {
  /** The problems of the last attempt that are not corrected yet. */
  problems: readonly SheetProblem[];
  onProblems: (problems: readonly SheetProblem[]) => void;
}

/** The collection and the options of all files. */
export function AddForm({ problems, onProblems }: AddFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { siteId, collectionId, error, sidecars, options, preview, table, isCounting } = useAdd();
  const times = usePublishTimes(options.publish === 'at');
  const [isOpen, setOpen] = useState(false);
  const templateProblem = titleTemplateProblem(options.titleTemplate);
  // During a new count the earlier counts are outdated.
  const known = isCounting ? null : preview;

  const sum = table === null || table.rows.length === 0 ? null : tableSumOf(table, filesOf(preview));
  const current = sheetProblems({
    collectionId,
    titleTemplate: options.titleTemplate,
    folder: options.folder,
    publish: options.publish,
    publishAt: times.instant,
    source: options.source,
    ...(times.series === undefined ? {} : { series: times.series }),
    badCells: table?.problemCells ?? 0,
    isAllLeftOut: sum !== null && sum.files === 0 && sum.leftOut > 0,
  });
  const problemOf = (field: SheetField) => problems.find((problem) => problem.field === field)?.message ?? null;
  // A corrected problem disappears; a new problem is shown only at the next attempt.
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
    void addUploads(defaultsOf(options, sidecars, times.instant)).then((isClosed) => {
      if (isClosed) showView('uploads');
    });
  };
  const moreSum = moreSentence(options.duplicates, sidecars, options.source);
  return (
    <form ref={form} id={ADD_FORM} className={classes(parts.form, styles.form)} onSubmit={submit} noValidate>
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
      <div data-field="collection">
        <CollectionPicker
          label={texts.sheet.into}
          siteId={siteId}
          value={collectionId}
          autoFocus={collectionId === null}
          opensOnFocus={false}
          onChange={chooseTarget}
          error={problemOf('collection')}
        />
      </div>
      <PresetMenu
        siteId={siteId}
        collectionId={collectionId}
        values={templateProblem === null ? presetOf(options, sidecars) : null}
        onApply={(values) => {
          chooseOptions(optionsOf(values));
          if (values.sidecars !== sidecars) chooseSidecars(values.sidecars);
        }}
      />
      <div className={styles.titles} data-field="titles">
        <TextField
          label={texts.sheet.titles}
          value={options.titleTemplate}
          onChange={(titleTemplate) => chooseOptions({ titleTemplate })}
          autoFocus={collectionId !== null}
          spellCheck="false"
          error={templateProblem === null ? null : { message: templateProblem }}
        />
        <TokenButtons
          label={texts.sheet.tokens}
          tokens={OFFERED}
          onAdd={(token) => chooseOptions({ titleTemplate: withToken(options.titleTemplate, token) })}
        />
      </div>
      <TagField label={texts.sheet.tags} tags={options.tags} onChange={(tags) => chooseOptions({ tags })} />
      <Segments
        label={texts.sheet.publish}
        value={options.publish}
        options={PUBLISH}
        onChange={(publish) => chooseOptions({ publish })}
      />
      {options.publish === 'at' ? <PublishTimes siteId={siteId} times={times} error={problemOf('publish-at')} /> : null}
      <Disclosure className={styles.more ?? ''} isExpanded={isOpen} onExpandedChange={setOpen}>
        <Heading level={3} className={styles.moreHead ?? ''}>
          <AriaButton slot="trigger" className={styles.moreButton ?? ''}>
            <ChevronRight size={14} aria-hidden />
            <span className={styles.moreTitle}>{texts.sheet.more}</span>
            {isOpen ? null : (
              <span className={styles.moreSum} title={moreSum}>
                {moreSum}
              </span>
            )}
          </AriaButton>
        </Heading>
        <DisclosurePanel className={styles.morePanel ?? ''}>
          <DuplicatesField
            value={options.duplicates}
            likely={known?.likelyDuplicates ?? null}
            onChange={(duplicates) => chooseOptions({ duplicates })}
          />
          <SidecarsField isOn={sidecars} found={known?.sidecars ?? null} onChange={chooseSidecars} />
          <SourceField
            kind={options.source}
            folder={options.folder}
            error={problemOf('source-folder')}
            onChange={(source, folder) => chooseOptions({ source, folder })}
          />
          <Segments
            label={texts.sheet.priorityLabel}
            value={options.priority}
            options={PRIORITY}
            onChange={(priority) => chooseOptions({ priority })}
          />
        </DisclosurePanel>
      </Disclosure>
    </form>
  );
}

/** Scrolls to a field and focuses it. The table is beside the form. */
function showField(form: HTMLFormElement | null, field: SheetField): void {
  const place = form?.parentElement?.querySelector(`[data-field="${field}"]`);
  place?.scrollIntoView({ block: field === 'files' ? 'nearest' : 'center' });
  place?.querySelector<HTMLElement>('[data-cell-input], input, button')?.focus({ preventScroll: true });
}
