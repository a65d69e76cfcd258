import { useEffect, useState } from 'react';
import { canonicalTag } from '../../../../shared/model/edits/canonical.ts';
import { untilCancelled } from '../../../async/latest-only.ts';
import { suggestTags } from '../../../stores/library/suggest-tags.ts';

const DELAY_MS = 120;

/** Returns the tag at the end of the text of a cell: what a suggestion completes. */
function lastTag(text: string): string {
  return text.slice(text.lastIndexOf('|') + 1).trim();
}

/** Returns the text of a cell with its last tag replaced. */
export function withLastTag(text: string, tag: string): string {
  const at = text.lastIndexOf('|') + 1;
  return `${text.slice(0, at)}${tag}`;
}

/**
 * The tags of the library that complete the last tag of a text, without those that the text has. `text` null: none. Empty
 * while they are requested.
 */
export function useTagChoices(text: string | null): readonly string[] {
  const [found, setFound] = useState<{ typed: string; tags: readonly string[] }>({ typed: '', tags: [] });
  const typed = text === null ? '' : lastTag(text);
  useEffect(() => {
    if (typed === '') return;
    let cancel = () => {};
    const timer = setTimeout(() => {
      // Without an answer there is nothing to complete; the user types on.
      cancel = untilCancelled(
        suggestTags(typed),
        (tags) => setFound({ typed, tags }),
        () => setFound({ typed, tags: [] }),
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      cancel();
    };
  }, [typed]);
  if (text === null || typed === '' || found.typed !== typed) return NONE;
  const present = new Set(text.split('|').map(canonicalTag));
  return found.tags.filter((tag) => !present.has(canonicalTag(tag)));
}

const NONE: readonly string[] = [];
