import { useEffect, useId, useState } from 'react';
import { changedLimit, LIMIT_UNITS, type LimitUnit, limitNumber, readLimit, unitFor } from '../../text/limit-text.ts';
import { classes } from '../button.tsx';
import { texts } from '../texts.ts';
import { fieldStyles } from './field.tsx';
import styles from './limit-field.module.css';
import { Select } from './select.tsx';

interface LimitFieldProps {
  label: string;
  /** Bytes per second. null: no limit. 0: nothing is sent. */
  value: number | null;
  onChange: (value: number | null) => void;
  /** Whether “Send nothing” is offered. */
  allowsNothing?: boolean;
}

type Kind = 'none' | 'limit' | 'nothing';

const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'none', label: texts.forms.limit.none },
  { value: 'limit', label: texts.forms.limit.atMost },
  { value: 'nothing', label: texts.forms.limit.nothing },
];

const UNITS = LIMIT_UNITS.map(({ id, label }) => ({ value: id, label }));
const FIRST_LIMIT = 1_000_000;

/** A speed limit in a unit of the user's choice. The number is applied on Enter or when the field loses the focus. */
export function LimitField({ label, value, onChange, allowsNothing = false }: LimitFieldProps) {
  const kind: Kind = value === null ? 'none' : value === 0 ? 'nothing' : 'limit';
  const choose = (next: Kind) => {
    if (next === kind) return;
    onChange(next === 'none' ? null : next === 'nothing' ? 0 : FIRST_LIMIT);
  };
  return (
    <div className={styles.limit}>
      <Select
        bare
        label={label}
        value={kind}
        options={allowsNothing ? KINDS : KINDS.filter((one) => one.value !== 'nothing')}
        onChange={choose}
      />
      {value === null || value === 0 ? null : <Speed label={label} value={value} onChange={onChange} />}
    </div>
  );
}

interface SpeedProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
}

function Speed({ label, value, onChange }: SpeedProps) {
  const [unit, setUnit] = useState<LimitUnit>(() => unitFor(value));
  const [text, setText] = useState(() => limitNumber(value, unit));
  const [problem, setProblem] = useState<string | null>(null);
  const problemId = useId();
  // Shows a limit that was changed elsewhere; typed text stays while it has the same value.
  useEffect(() => {
    setText((typed) => (readLimit(typed, unit) === value ? typed : limitNumber(value, unit)));
    setProblem(null);
  }, [value, unit]);
  const commit = () => {
    const read = changedLimit(text, value, unit);
    if (typeof read === 'object' && read !== null) return setProblem(read.problem);
    setProblem(null);
    if (read !== null) onChange(read);
  };
  return (
    <>
      <input
        className={classes(fieldStyles.input, styles.number)}
        inputMode="decimal"
        aria-label={texts.forms.limit.value(label)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
        {...(problem === null ? {} : { 'aria-invalid': true, 'data-invalid': '', 'aria-describedby': problemId })}
      />
      <Select
        bare
        label={texts.forms.limit.unit(label)}
        value={unit}
        options={UNITS}
        onChange={(next) => {
          // The limit stays the same; only its unit changes.
          setUnit(next);
          setText(limitNumber(value, next));
          setProblem(null);
        }}
      />
      {problem === null ? null : (
        <span id={problemId} className={classes(fieldStyles.error, styles.problem)} role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
