import { ChevronRight, FolderOpen, ListTree } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import {
  Button as AriaButton,
  Disclosure,
  DisclosurePanel,
  Heading,
  Label,
  Radio,
  RadioGroup,
} from 'react-aria-components';
import type { FolderSettings } from '../../../../shared/contract/watch-rules.ts';
import { DEFAULT_RULE_ID } from '../../../../shared/model/watch/apply-rules.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { fieldStyles } from '../../../kit/components/forms/field.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { announce, attempt } from '../../common/state/messages-store.ts';
import { draftProblemText } from '../folder-text.ts';
import { SweepField } from '../rules/amount-field.tsx';
import { ConditionFields } from '../rules/condition-fields.tsx';
import {
  DetailsField,
  DuplicatesSetting,
  ManifestSetting,
  PriorityField,
  PublishField,
  SidecarsSetting,
  SourceSetting,
  TagsField,
  TitleSetting,
} from '../rules/setting-fields.tsx';
import { TargetField } from '../rules/target-field.tsx';
import {
  changeDraft,
  changeRules,
  choosePath,
  closeDraft,
  draftProblemsOf,
  openRules,
  saveDraft,
  useDraft,
} from '../state/folder-draft.ts';
import { changeConditions, changeDefaults, type DraftProblem } from '../state/rules-draft.ts';
import { usePreview } from '../state/rules-preview.ts';
import type { FolderDraft } from '../state/stored-draft.ts';
import { texts } from '../texts.ts';
import styles from './add-folder.module.css';
import { ManifestChoice } from './manifest-offer.tsx';

const FORM = 'add-watched-folder';
const { add } = texts;

/** The sheet for a new watched folder. */
export function AddFolderSheet() {
  const draft = useDraft((state) => (state.place === 'sheet' ? state.draft : null));
  const isSaving = useDraft((state) => state.isSaving || state.isAwaitingCount);
  if (draft === null) return null;
  return (
    <Dialog
      title={add.title}
      isOpen
      onClose={closeDraft}
      width={560}
      footer={
        <>
          <Button variant="quiet" icon={<ListTree size={14} aria-hidden />} onPress={openRules} isDisabled={isSaving}>
            {add.rules}
          </Button>
          <FooterSpace />
          <Button onPress={closeDraft}>{add.cancel}</Button>
          <Button variant="primary" type="submit" form={FORM}>
            {isSaving ? add.adding : add.add}
          </Button>
        </>
      }
    >
      <AddForm draft={draft} />
    </Dialog>
  );
}

/** The position of each problem in the form, from top to bottom. */
const PLACES: Partial<Record<DraftProblem['kind'], string>> = {
  'no-existing-choice': 'existing',
  'no-collection': 'collection',
  title: 'titles',
  glob: 'conditions',
  'takes-nothing': 'conditions',
  'no-folder': 'source-folder',
};
const IN_MORE: readonly DraftProblem['kind'][] = ['glob', 'takes-nothing', 'no-folder'];

function AddForm({ draft }: { draft: FolderDraft }) {
  const form = useRef<HTMLFormElement>(null);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const error = useDraft((state) => state.error);
  const showsProblems = useDraft((state) => state.showsProblems);
  const hasOffer = useDraft((state) => state.manifest !== null);
  const { settings, conditions } = draft.rules.defaults;
  const change = (patch: Partial<FolderSettings>) => changeRules((rules) => changeDefaults(rules, patch));
  const problems = showsProblems ? draftProblemsOf(draft) : [];
  const textOf = (kind: DraftProblem['kind']) => {
    const found = problems.find((problem) => problem.kind === kind);
    return found === undefined ? null : draftProblemText(found);
  };
  useEffect(() => {
    if (error !== null) form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void saveDraft().then((obstacle) => {
      if (obstacle === 'path') showField(form.current, 'path');
      else if (obstacle !== null) showProblem(obstacle);
    });
  };
  const showProblem = (problem: DraftProblem) => {
    announce(draftProblemText(problem));
    if (IN_MORE.includes(problem.kind)) setMoreOpen(true);
    // The collapsed part is rendered at the next frame.
    requestAnimationFrame(() => showField(form.current, PLACES[problem.kind] ?? 'titles'));
  };
  return (
    <form ref={form} id={FORM} className={styles.form} onSubmit={submit} noValidate>
      {error === null ? null : <InlineError error={error} />}
      <PathField path={draft.path} />
      <ExistingField draft={draft} error={textOf('no-existing-choice')} />
      {hasOffer ? (
        <ManifestChoice value={settings.manifest ?? false} onChange={(manifest) => change({ manifest })} />
      ) : null}
      <TargetField
        siteId={settings.siteId}
        collection={settings.collection}
        onChange={change}
        error={textOf('no-collection')}
      />
      <TitleSetting value={settings.titleTemplate} onChange={(titleTemplate) => change({ titleTemplate })} />
      <Examples />
      <TagsField value={settings.tags} onChange={(tags) => change({ tags })} />
      <PublishField value={settings.publish} onChange={(publish) => change({ publish })} />
      <Disclosure className={styles.more ?? ''} isExpanded={isMoreOpen} onExpandedChange={setMoreOpen}>
        <Heading level={3} className={styles.moreHead ?? ''}>
          <AriaButton slot="trigger" className={styles.moreButton ?? ''}>
            <ChevronRight size={14} aria-hidden />
            {add.more}
          </AriaButton>
        </Heading>
        <DisclosurePanel className={styles.morePanel ?? ''}>
          <div className={styles.group} data-field="conditions">
            <ConditionFields
              conditions={conditions}
              onChange={(patch) => changeRules((rules) => changeConditions(rules, DEFAULT_RULE_ID, patch))}
            />
          </div>
          <DuplicatesSetting value={settings.duplicates} onChange={(duplicates) => change({ duplicates })} />
          <SidecarsSetting value={settings.sidecars} onChange={(sidecars) => change({ sidecars })} />
          <DetailsField value={settings.details} onChange={(details) => change({ details })} />
          {hasOffer ? null : (
            <ManifestSetting value={settings.manifest ?? false} onChange={(manifest) => change({ manifest })} />
          )}
          <SourceSetting
            value={settings.source}
            onChange={(source) => change({ source })}
            error={textOf('no-folder')}
          />
          <PriorityField value={settings.priority} onChange={(priority) => change({ priority })} />
          <SweepField value={draft.sweepEveryMs} onChange={(sweepEveryMs) => changeDraft({ sweepEveryMs })} />
        </DisclosurePanel>
      </Disclosure>
    </form>
  );
}

/** Scrolls to a field and focuses it. */
function showField(form: HTMLFormElement | null, field: string): void {
  const place = form?.querySelector(`[data-field="${field}"]`);
  place?.scrollIntoView({ block: 'center' });
  place?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true });
}

/** The folder with the number of its files, or the reason why it can't be watched. */
function PathField({ path }: { path: string }) {
  const count = useDraft((state) => state.count);
  const pathError = useDraft((state) => state.pathError);
  const choose = () =>
    void attempt(async () => {
      const [next] = await call('shell.pickFolder', null);
      if (next !== undefined) choosePath(next);
    });
  const counted = count === null ? add.counting : add.count(count.files, count.bytes, count.isAll);
  return (
    <div className={fieldStyles.field} data-field="path">
      <span className={fieldStyles.label}>{add.folder}</span>
      <div className={styles.folder}>
        <span className={styles.path} data-selectable data-testid="watched-path">
          {path}
        </span>
        <Button icon={<FolderOpen size={14} aria-hidden />} onPress={choose}>
          {add.otherFolder}
        </Button>
      </div>
      {pathError === null ? (
        <span className={fieldStyles.hint} role="status">
          {count !== null && count.files === 0 && count.isAll ? add.nothingIn : counted}
          {count?.isNetwork ? ` · ${add.network}` : null}
        </span>
      ) : (
        <InlineError error={pathError} />
      )}
    </div>
  );
}

/** Chooses whether files that are already in the folder are uploaded. Not shown for an empty folder. */
function ExistingField({ draft, error }: { draft: FolderDraft; error: string | null }) {
  const count = useDraft((state) => state.count);
  if (count !== null && count.files === 0 && count.isAll) return null;
  const upload =
    count === null ? add.existingUploadPlain : add.existingUpload(add.count(count.files, count.bytes, count.isAll));
  return (
    <RadioGroup
      className={fieldStyles.field ?? ''}
      data-field="existing"
      value={draft.existing}
      onChange={(existing) => changeDraft({ existing: existing === 'upload' ? 'upload' : 'skip' })}
      isInvalid={error !== null}
      validationBehavior="aria"
    >
      <Label className={fieldStyles.label ?? ''}>{add.existing}</Label>
      <Radio value="skip" className={styles.radio ?? ''}>
        <span className={styles.dot} aria-hidden />
        {add.existingSkip}
      </Radio>
      <Radio value="upload" className={styles.radio ?? ''}>
        <span className={styles.dot} aria-hidden />
        {upload}
      </Radio>
      {error === null ? null : <span className={fieldStyles.error}>{error}</span>}
    </RadioGroup>
  );
}

const EXAMPLES = 3;

/** The titles and collections that the first files of the folder would get. */
function Examples() {
  const preview = usePreview((state) => state.preview);
  const files = (preview?.files ?? []).filter(({ plan }) => plan !== null).slice(0, EXAMPLES);
  if (files.length === 0) return null;
  return (
    <ul className={styles.examples} aria-label={add.examples}>
      {files.map(({ path, plan }) => (
        <li key={path}>
          <span className={styles.from} title={path}>
            {path}
          </span>
          <span className={styles.to}>{plan?.title}</span>
        </li>
      ))}
    </ul>
  );
}
