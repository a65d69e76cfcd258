import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import { Checkbox } from '../../kit/components/forms/choice.tsx';
import { TextField } from '../../kit/components/forms/field.tsx';
import { RichTextField } from '../../kit/components/rich-text/rich-text-field.tsx';
import { openSites, siteOf, useApp } from '../common/state/app-store.ts';
import styles from './edits.module.css';
import { useDecision } from './state/decide-store.ts';
import { texts } from './texts.ts';

export interface AnswerChoice<Kind extends string> {
  kind: Kind;
  label: string;
}

interface AnswersProps<Kind extends string> {
  label: string;
  answers: readonly AnswerChoice<Kind>[];
  kind: Kind;
  onChange: (kind: Kind) => void;
}

/** The possible answers to a question; the user chooses one of them. */
export function Answers<Kind extends string>({ label, answers, kind, onChange }: AnswersProps<Kind>) {
  return (
    <RadioGroup className={styles.answers ?? ''} value={kind} onChange={(next) => onChange(next as Kind)}>
      <Label className="visually-hidden">{label}</Label>
      {answers.map((answer) => (
        <Radio key={answer.kind} value={answer.kind} className={styles.answer ?? ''}>
          <span className={styles.dot} />
          {answer.label}
        </Radio>
      ))}
    </RadioGroup>
  );
}

const words = texts.decide;

interface ForAllProps {
  siteId: string;
  /** Names the number of edits. */
  question: (count: number) => string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/**
 * Offers the same answer for all edits of the account with the same question; renders nothing when there is only one such edit.
 */
export function ForAll({ siteId, question, isSelected, onChange }: ForAllProps) {
  const count = useDecision(({ sameIds }) => sameIds.length);
  const site = useApp((state) => (openSites(state.sites).length > 1 ? siteOf(state, siteId) : null));
  if (count < 2) return null;
  return (
    <Checkbox isSelected={isSelected} onChange={onChange}>
      {site === null ? question(count) : words.inAccount(question(count), site.accountName ?? site.displayName)}
    </Checkbox>
  );
}

interface NewValueProps {
  field: AnyField;
  label: string;
  value: string;
  error?: { message: string } | null;
  autoFocus: boolean;
  onChange: (value: string) => void;
}

/** The field for another text of an edit: an editor with formatting for a description, a single line otherwise. */
export function NewValue({ field, label, value, error = null, autoFocus, onChange }: NewValueProps) {
  if (field === 'description')
    return <RichTextField label={label} error={error} autoFocus={autoFocus} onChange={onChange} html={value} />;
  return <TextField label={label} value={value} error={error} autoFocus={autoFocus} onChange={onChange} />;
}
