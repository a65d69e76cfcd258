import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { globProblem } from '../../../../shared/model/watch/glob.ts';
import { classes } from '../../../kit/components/button.tsx';
import { fieldStyles } from '../../../kit/components/forms/field.tsx';
import { tokenStyles } from '../../../kit/components/forms/token-buttons.tsx';
import { globText } from '../folder-text.ts';
import { texts } from '../texts.ts';
import styles from './rules.module.css';

interface GlobFieldProps {
  label: string;
  hint?: string;
  globs: readonly string[];
  /** Sets of patterns, each of which one button adds. */
  presets?: readonly { label: string; glob: string }[];
  /** The pattern that decided about the file that is selected in the preview. */
  marked?: string | null;
  onChange: (globs: string[]) => void;
}

const { fields } = texts;

/** Patterns as tokens: Enter adds a pattern, Backspace in the empty field removes the last one. Commas are part of patterns. */
export function GlobField({ label, hint, globs, presets = [], marked = null, onChange }: GlobFieldProps) {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const problem = [...globs, ...(typed.trim() === '' ? [] : [typed.trim()])]
    .map((glob) => ({ glob, problem: globProblem(glob) }))
    .find((each) => each.problem !== null);
  const add = (text: string) => {
    const parts = text.split('\n').map((part) => part.trim());
    onChange([
      ...globs,
      ...parts.filter((part, at) => part !== '' && !globs.includes(part) && parts.indexOf(part) === at),
    ]);
  };
  const commit = () => {
    if (typed.trim() !== '') add(typed);
    setTyped('');
  };
  const remove = (glob: string) => {
    onChange(globs.filter((other) => other !== glob));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && typed.trim() !== '' && !event.nativeEvent.isComposing && !event.ctrlKey) {
      event.preventDefault();
      commit();
    } else if (event.key === 'Backspace' && typed === '' && globs.length > 0) {
      onChange(globs.slice(0, -1));
    }
  };
  const offered = presets.filter(({ glob }) => !globs.includes(glob));
  const hintId = `${id}-hint`;
  const hasProblem = problem !== undefined && problem.problem !== null;
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the tokens goes to the field inside */}
      <div
        className={classes(styles.globs, hasProblem && styles.invalid)}
        onMouseDown={(event) => {
          if (event.target !== event.currentTarget) return;
          event.preventDefault();
          input.current?.focus();
        }}
      >
        {globs.map((glob) => (
          <span
            key={glob}
            className={classes(styles.glob, glob === marked && styles.marked)}
            data-invalid={globProblem(glob) === null ? undefined : ''}
          >
            <span>{glob}</span>
            <button
              type="button"
              className={styles.removeGlob}
              aria-label={fields.removePattern(glob)}
              tabIndex={-1}
              onClick={() => remove(glob)}
            >
              <X size={12} />
            </button>
          </span>
        ))}
        <input
          ref={input}
          id={id}
          className={styles.globInput}
          value={typed}
          spellCheck={false}
          placeholder={globs.length === 0 ? fields.addPattern : ''}
          aria-description={fields.patterns(globs)}
          aria-describedby={hintId}
          aria-invalid={hasProblem}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text');
            if (!text.includes('\n')) return;
            event.preventDefault();
            add(typed + text);
            setTyped('');
          }}
          onBlur={commit}
        />
      </div>
      <span id={hintId} className={hasProblem ? fieldStyles.error : fieldStyles.hint}>
        {hasProblem && problem.problem !== null
          ? texts.problems.inGlob(problem.glob, globText(problem.problem))
          : (hint ?? '')}
      </span>
      {offered.length === 0 ? null : (
        <div className={tokenStyles.tokens}>
          {offered.map((preset) => (
            <button
              key={preset.glob}
              type="button"
              className={classes(tokenStyles.token, styles.preset)}
              title={preset.glob}
              onClick={() => {
                onChange([...globs, preset.glob]);
                input.current?.focus();
              }}
            >
              + {preset.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
