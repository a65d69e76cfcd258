import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { ITEM_FIELD, TEXT_FIELDS, type TextFieldKey } from '../../../../shared/item/fields.ts';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox, Segments } from '../../../kit/components/forms/choice.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import {
  draftOfTime,
  instantOfDraft,
  nextFullHour,
  type ZonedTimeDraft,
} from '../../../kit/components/forms/zoned-time-draft.ts';
import { ZonedTimeField } from '../../../kit/components/forms/zoned-time-field.tsx';
import { ClockNotice } from '../../common/clock-notice.tsx';
import { CollectionPicker } from '../../common/collection-picker.tsx';
import { useCollectionNames } from '../../common/use-collection-names.ts';
import { openBulkDialog } from '../state/selection/bulk-store.ts';
import type { ChangeDraft, ChangeProblems, TextAction, TextDraft } from '../state/selection/change-draft.ts';
import type { Target } from '../state/selection/media-selection.ts';
import { type Current, currentText } from './current-values.ts';
import { RecipeForm } from './recipe-form.tsx';
import styles from './selection.module.css';
import { TagChange } from './tag-change.tsx';
import { texts } from './texts.ts';

interface ChangeFormProps {
  target: Target;
  draft: ChangeDraft;
  problems: ChangeProblems;
  current: Current;
  onChange: (draft: ChangeDraft) => void;
}

const { fields } = texts.form;

/** The fields of several items. Each has a tick: only ticked fields are changed. */
export function ChangeForm({ target, draft, problems, current, onChange }: ChangeFormProps) {
  const { siteId } = target.selection;
  const collectionId = current?.collectionId.value ?? null;
  const nameOf = useCollectionNames(siteId, collectionId === null ? [] : [collectionId]);
  const set = <K extends keyof ChangeDraft>(field: K, change: Partial<ChangeDraft[K]>) =>
    onChange({ ...draft, [field]: { ...draft[field], ...change } });
  const part = (field: Exclude<keyof ChangeDraft, 'recipe'>, children: ReactNode) => (
    <Part
      label={fields[field]}
      isOn={draft[field].on}
      current={currentText(field, current, nameOf)}
      onChange={(on) => set(field, { on })}
    >
      {children}
    </Part>
  );
  return (
    <>
      {TEXT_FIELDS.map((field) => (
        <div key={field}>
          {part(
            field,
            <TextChangeFields
              field={field}
              draft={draft[field]}
              problem={problems[field]}
              onChange={(change) => set(field, change)}
            />,
          )}
        </div>
      ))}
      {part(
        'tags',
        <TagChange
          draft={draft.tags}
          problem={problems.tags}
          tags={current?.tags ?? []}
          onChange={(change) => set('tags', change)}
        />,
      )}
      {part(
        'collection',
        <CollectionPicker
          label={texts.form.collection}
          siteId={siteId}
          value={draft.collection.id}
          onChange={(id) => set('collection', { id })}
          error={problems.collection ?? null}
        />,
      )}
      {part(
        'publication',
        <PublicationFields
          target={target}
          draft={draft.publication}
          problem={problems.publication}
          onChange={(change) => set('publication', change)}
        />,
      )}
      <Part
        label={texts.form.recipe.label}
        isOn={draft.recipe.on}
        current={draft.recipe.on ? '' : texts.form.recipe.off}
        onChange={(on) => set('recipe', { on })}
      >
        <RecipeForm
          target={target}
          draft={draft.recipe}
          problems={problems.recipe}
          onChange={(change) => set('recipe', change)}
        />
      </Part>
    </>
  );
}

interface PartProps {
  label: string;
  isOn: boolean;
  current: string;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}

const TEXT_INPUT = 'textarea, input:not([type="checkbox"], [type="radio"])';

/** A field with its check box and its current value; its controls are visible while the box is checked. */
function Part({ label, isOn, current, onChange, children }: PartProps) {
  const body = useRef<HTMLDivElement>(null);
  const isPointed = useRef(false);
  // A click continues in the field. With the keyboard, the focus stays: Tab leads to the field, or another box follows.
  useLayoutEffect(() => {
    if (isOn && isPointed.current) body.current?.querySelector<HTMLElement>(TEXT_INPUT)?.focus();
  }, [isOn]);
  return (
    <fieldset className={styles.part} aria-label={label}>
      <div
        className={styles.partHead}
        onPointerDownCapture={() => (isPointed.current = true)}
        onKeyDownCapture={() => (isPointed.current = false)}
      >
        <Checkbox isSelected={isOn} onChange={onChange}>
          {label}
        </Checkbox>
        <span className={styles.current} title={current}>
          {current}
        </span>
      </div>
      {isOn ? (
        <div ref={body} className={styles.partBody}>
          {children}
        </div>
      ) : null}
    </fieldset>
  );
}

interface TextChangeFieldsProps {
  field: TextFieldKey;
  draft: TextDraft;
  problem: string | undefined;
  onChange: (change: Partial<TextDraft>) => void;
}

const ACTIONS = (Object.keys(texts.form.actions) as TextAction[]).map((value) => ({
  value,
  label: texts.form.actions[value],
}));

function TextChangeFields({ field, draft, problem, onChange }: TextChangeFieldsProps) {
  const { action, text, find, matchCase } = draft;
  const error = problem === undefined ? null : { message: problem };
  const isLong = ITEM_FIELD[field].kind === 'html' && action !== 'replace';
  return (
    <>
      <Select
        label={texts.form.action}
        value={action}
        // An item needs a title.
        options={field === 'title' ? ACTIONS.filter(({ value }) => value !== 'clear') : ACTIONS}
        onChange={(next) => onChange({ action: next })}
      />
      {action === 'replace' ? (
        <TextField label={texts.form.find} value={find} onChange={(next) => onChange({ find: next })} error={error} />
      ) : null}
      {action === 'clear' ? null : (
        <TextField
          label={
            action === 'set' ? texts.form.text : action === 'replace' ? texts.form.replaceWith : texts.form.addedText
          }
          value={text}
          onChange={(next) => onChange({ text: next })}
          error={action === 'replace' ? null : error}
          {...(isLong ? { rows: 4 } : {})}
        />
      )}
      {action === 'replace' ? (
        <Checkbox isSelected={matchCase} onChange={(next) => onChange({ matchCase: next })}>
          {texts.form.matchCase}
        </Checkbox>
      ) : null}
    </>
  );
}

interface PublicationFieldsProps {
  target: Target;
  draft: ChangeDraft['publication'];
  problem: string | undefined;
  onChange: (change: Partial<ChangeDraft['publication']>) => void;
}

const PUBLICATIONS = (['now', 'at', 'unpublish'] as const).map((value) => ({
  value,
  label: texts.form.publications[value],
}));

function PublicationFields({ target, draft, problem, onChange }: PublicationFieldsProps) {
  const [time, setTime] = useState(() =>
    draftOfTime(draft.at === null ? nextFullHour(Date.now()) : Date.parse(draft.at), localTimeZone()),
  );
  const type = (next: ZonedTimeDraft) => {
    setTime(next);
    onChange({ at: isoOf(next) });
  };
  return (
    <>
      <Segments
        hideLabel
        label={fields.publication}
        value={draft.action}
        options={PUBLICATIONS}
        onChange={(action) => onChange({ action, at: action === 'at' ? isoOf(time) : null })}
      />
      {draft.action === 'at' ? (
        <>
          <ZonedTimeField label={texts.form.at} draft={time} onChange={type} />
          {target.count < 2 ? null : (
            <Button onPress={() => openBulkDialog('series', target)}>{texts.form.series}</Button>
          )}
          {problem === undefined ? null : <p className={styles.problem}>{problem}</p>}
          <ClockNotice siteId={target.selection.siteId} />
        </>
      ) : null}
    </>
  );
}

/** Returns the instant of a time that the user entered, in ISO 8601; null when the time occurs never or twice in its zone. */
function isoOf(time: ZonedTimeDraft): string | null {
  const instant = instantOfDraft(time);
  return instant === null ? null : new Date(instant).toISOString();
}
