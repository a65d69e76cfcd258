import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import { fieldStyles } from './field.tsx';
import { FieldOptionList } from './field-options.tsx';
import styles from './tag-field.module.css';
import { useFoundTags } from './tag-options.tsx';

interface TagFieldProps {
  label: string;
  tags: readonly string[];
  onChange: (tags: string[]) => void;
  error?: string | undefined;
  isDisabled?: boolean;
  /** Tags that are offered while the user types a tag. */
  suggestions?: readonly string[];
  /** Finds tags that are offered while the user types a tag. */
  suggest?: (text: string) => Promise<readonly string[]>;
  autoFocus?: boolean;
}

/**
 * Tags as tokens: Enter or a comma adds a tag, Backspace in the empty field removes the last one. Known tags are offered below
 * during typing: the arrow keys choose one.
 */
export function TagField(props: TagFieldProps) {
  const { label, tags, onChange, error, isDisabled = false, suggestions = [], suggest, autoFocus = false } = props;
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const offered = suggestions.filter((tag) => !tags.includes(tag));
  const commit = () => {
    if (typed.trim() !== '') onChange(addTags(tags, typed));
    setTyped('');
  };
  const remove = (tag: string) => {
    onChange(tags.filter((other) => other !== tag));
    input.current?.focus();
  };
  const take = (tag: string) => {
    onChange(addTags(tags, tag));
    setTyped('');
    input.current?.focus();
  };
  const found = useFoundTags(typed, tags, suggest, take);
  const onKeyDown = (event: KeyboardEvent) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.nativeEvent.isComposing;
    if (found.onKeyDown(event)) return;
    if ((event.key === 'Enter' && plain && typed.trim() !== '') || event.key === ',') {
      event.preventDefault();
      commit();
    } else if (event.key === 'Backspace' && typed === '' && tags.length > 0) {
      onChange(tags.slice(0, -1));
    }
  };
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the tokens goes to the field inside */}
      <div
        className={styles.box}
        onMouseDown={(event) => {
          if (event.target !== event.currentTarget) return;
          event.preventDefault();
          input.current?.focus();
        }}
      >
        {tags.map((tag) => (
          <span key={tag} className={styles.tag}>
            <span>{tag}</span>
            <button
              type="button"
              className={styles.remove}
              aria-label={texts.forms.tags.remove(tag)}
              tabIndex={-1}
              disabled={isDisabled}
              onClick={() => remove(tag)}
            >
              <X size={12} />
            </button>
          </span>
        ))}
        <input
          // biome-ignore lint/a11y/noAutofocus: the field of a dialog that the user opened to type tags
          autoFocus={autoFocus}
          ref={input}
          id={id}
          className={styles.input}
          value={typed}
          disabled={isDisabled}
          placeholder={tags.length === 0 ? texts.forms.tags.add : ''}
          aria-description={tags.length === 0 ? texts.forms.tags.none : texts.forms.tags.list(tags)}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text');
            if (!/[,\n]/.test(text)) return;
            event.preventDefault();
            onChange(addTags(tags, typed + text));
            setTyped('');
          }}
          onBlur={commit}
          {...found.fieldProps}
          {...(offered.length > 0 ? { list: `${id}-suggestions` } : {})}
        />
        {offered.length > 0 ? (
          <datalist id={`${id}-suggestions`}>
            {offered.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
        ) : null}
      </div>
      <FieldOptionList label={texts.forms.tags.known} list={found} keyOf={(tag) => tag}>
        {(tag) => <span>{tag}</span>}
      </FieldOptionList>
      {error === undefined ? null : <span className={fieldStyles.error}>{error}</span>}
    </div>
  );
}

/** Adds typed text to a list of tags: split at commas and line breaks, trimmed, each tag once in any letter case. */
export function addTags(tags: readonly string[], typed: string): string[] {
  const result = [...tags];
  const known = new Set(tags.map((tag) => tag.toLocaleLowerCase()));
  for (const part of typed.split(/[,\n]/)) {
    const tag = part.replace(/\s+/g, ' ').trim().slice(0, 200);
    if (tag === '' || known.has(tag.toLocaleLowerCase())) continue;
    known.add(tag.toLocaleLowerCase());
    result.push(tag);
  }
  return result;
}
