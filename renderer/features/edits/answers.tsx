import { Label, Radio, RadioGroup } from 'react-aria-components';
import styles from './edits.module.css';

export interface Answer<Kind extends string> {
  kind: Kind;
  label: string;
}

interface AnswersProps<Kind extends string> {
  label: string;
  answers: readonly Answer<Kind>[];
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
