import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import styles from './tag-field.module.css';

/** Known tags that match the typed text, and the tag that the arrow keys have reached. */
interface FoundTags {
  id: string;
  tags: readonly string[];
  /** -1: none. */
  at: number;
  /** Handles the keys of the list; returns whether it did. `take` adds a tag. */
  onKeyDown: (event: KeyboardEvent, take: (tag: string) => void) => boolean;
  /** The attributes of the text field that describe the list. */
  fieldProps: Record<string, string | boolean | undefined>;
}

/** Finds known tags during typing. An answer to an earlier text is dropped. */
export function useFoundTags(
  typed: string,
  taken: readonly string[],
  suggest: ((text: string) => Promise<readonly string[]>) | undefined,
): FoundTags {
  const id = useId();
  const [answer, setAnswer] = useState<{ text: string; tags: readonly string[] }>({ text: '', tags: [] });
  const [at, setAt] = useState(-1);
  const text = typed.trim();
  useEffect(() => {
    if (suggest === undefined || text === '') return;
    let isWanted = true;
    suggest(text).then(
      (tags) => {
        if (!isWanted) return;
        setAnswer({ text, tags });
        setAt(-1);
      },
      // A failed search needs no message: the user can type tags without suggestions.
      (thrown: unknown) => console.warn('Tags not found', thrown),
    );
    return () => {
      isWanted = false;
    };
  }, [text, suggest]);

  const lower = new Set(taken.map((tag) => tag.toLocaleLowerCase()));
  const isOpen = text !== '' && answer.text !== '';
  const tags = isOpen ? answer.tags.filter((tag) => !lower.has(tag.toLocaleLowerCase()) && tag !== text) : [];
  const current = Math.min(at, tags.length - 1);
  const close = () => setAnswer({ text: '', tags: [] });
  return {
    id,
    tags,
    at: current,
    onKeyDown(event, take) {
      if (tags.length === 0 || event.altKey || event.nativeEvent.isComposing) return false;
      const chosen = tags[current];
      if (event.key === 'ArrowDown') setAt((current + 1) % tags.length);
      else if (event.key === 'ArrowUp') setAt(current <= 0 ? tags.length - 1 : current - 1);
      else if (event.key === 'Escape') close();
      else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) take(chosen);
      else return false;
      event.preventDefault();
      return true;
    },
    fieldProps:
      suggest === undefined
        ? {}
        : {
            role: 'combobox',
            'aria-autocomplete': 'list',
            'aria-expanded': tags.length > 0,
            'aria-controls': tags.length > 0 ? id : undefined,
            'aria-activedescendant': current < 0 ? undefined : `${id}-${current}`,
            autoComplete: 'off',
          },
  };
}

/** The list of known tags below the field. */
export function TagOptions({
  label,
  found,
  onTake,
}: {
  label: string;
  found: FoundTags;
  onTake: (tag: string) => void;
}) {
  const { id, tags, at } = found;
  if (tags.length === 0) return null;
  return (
    <div id={id} role="listbox" aria-label={label} className={styles.options}>
      {tags.map((tag, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the text field choose an option
        <div
          key={tag}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          tabIndex={-1}
          className={styles.option}
          // Otherwise the field would lose the focus and add the typed text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(tag)}
        >
          <span>{tag}</span>
        </div>
      ))}
    </div>
  );
}
