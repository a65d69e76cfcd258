import { useEffect, useState } from 'react';
import { type FieldOptions, useFieldOptions } from './field-options.tsx';

/** Finds known tags during typing. An answer to an earlier text is dropped. `onTake` adds a tag. */
export function useFoundTags(
  typed: string,
  taken: readonly string[],
  suggest: ((text: string) => Promise<readonly string[]>) | undefined,
  onTake: (tag: string) => void,
): FieldOptions<string> {
  const [answer, setAnswer] = useState<{ text: string; tags: readonly string[] }>({ text: '', tags: [] });
  const text = typed.trim();
  const lower = new Set(taken.map((tag) => tag.toLocaleLowerCase()));
  const isOpen = text !== '' && answer.text !== '';
  const tags = isOpen ? answer.tags.filter((tag) => !lower.has(tag.toLocaleLowerCase()) && tag !== text) : [];
  const list = useFieldOptions(tags, { onTake, onClose: () => setAnswer({ text: '', tags: [] }) });
  const { reset } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reset` is another function each time, with the same effect
  useEffect(() => {
    if (suggest === undefined || text === '') return;
    let isWanted = true;
    suggest(text).then(
      (found) => {
        if (!isWanted) return;
        setAnswer({ text, tags: found });
        reset();
      },
      // A failed search needs no message: the user can type tags without suggestions.
      (thrown: unknown) => console.warn('Tags not found', thrown),
    );
    return () => {
      isWanted = false;
    };
  }, [text, suggest]);
  return suggest === undefined ? { ...list, fieldProps: {} } : list;
}
