import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import styles from './field-options.module.css';

/** Offers below a text field, and the one that the arrow keys have reached. */
export interface FieldOptions<T> {
  id: string;
  options: readonly T[];
  /** -1: none. */
  at: number;
  take: (option: T) => void;
  /** Leaves the reached offer, because the text has changed. */
  reset: () => void;
  /** Handles the keys of the list; returns whether it did. */
  onKeyDown: (event: KeyboardEvent) => boolean;
  /** The attributes of the text field that describe the list. */
  fieldProps: Record<string, string | boolean | undefined>;
}

/** Moves through offers with the arrow keys; Enter and Tab take the reached one, Escape closes the list. */
export function useFieldOptions<T>(
  options: readonly T[],
  { onTake, onClose }: { onTake: (option: T) => void; onClose: () => void },
): FieldOptions<T> {
  const id = useId();
  const [reached, setReached] = useState(-1);
  const count = options.length;
  const at = Math.min(reached, count - 1);
  const reset = () => setReached(-1);
  const take = (option: T) => {
    reset();
    onTake(option);
  };
  return {
    id,
    options,
    at,
    take,
    reset,
    onKeyDown(event) {
      if (count === 0 || event.altKey || event.nativeEvent.isComposing) return false;
      const chosen = options[at];
      if (event.key === 'ArrowDown') setReached((at + 1) % count);
      else if (event.key === 'ArrowUp') setReached(at <= 0 ? count - 1 : at - 1);
      else if (event.key === 'Escape') onClose();
      else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) take(chosen);
      else return false;
      event.preventDefault();
      return true;
    },
    fieldProps: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': count > 0,
      'aria-controls': count > 0 ? id : undefined,
      'aria-activedescendant': at < 0 ? undefined : `${id}-${at}`,
      autoComplete: 'off',
    },
  };
}

interface FieldOptionListProps<T> {
  label: string;
  list: FieldOptions<T>;
  keyOf: (option: T) => string;
  children: (option: T) => ReactNode;
  /** The list lies over what is below the field. */
  floats?: boolean;
}

/** The list of offers; nothing when there are none. */
export function FieldOptionList<T>({ label, list, keyOf, children, floats = false }: FieldOptionListProps<T>) {
  const { id, options, at, take } = list;
  useEffect(() => {
    if (at >= 0) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  if (options.length === 0) return null;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      className={styles.options}
      {...(floats ? { 'data-floating': '' } : {})}
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the text field choose an option
        <div
          key={keyOf(option)}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          tabIndex={-1}
          className={styles.option}
          // Otherwise the field would lose the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(option)}
        >
          {children(option)}
        </div>
      ))}
    </div>
  );
}
