import { useEffect, useState } from 'react';
import { canonicalTag } from '../../../../shared/model/edits/canonical.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { suggestTags } from '../../library/state/suggest-tags.ts';

const DELAY_MS = 120;

/** Returns the last tag in the text of a cell: the part that a suggestion completes. */
function lastTag(text: string): string {
  return text.slice(text.lastIndexOf('|') + 1).trim();
}

/** Returns the text of a cell with its last tag replaced. */
export function withLastTag(text: string, tag: string): string {
  const at = text.lastIndexOf('|') + 1;
  return `${text.slice(0, at)}${tag}`;
}

/**
 * Returns the tags of the library that complete the last tag of a text, without tags that the text already contains. `text` null:
 * none. Empty while the request is in flight.
 */
export function useTagChoices(text: string | null): readonly string[] {
  const [found, setFound] = useState<{ typed: string; tags: readonly string[] }>({ typed: '', tags: [] });
  const typed = text === null ? '' : lastTag(text);
  useEffect(() => {
    if (typed === '') return;
    let cancel = () => {};
    const timer = setTimeout(() => {
      // Without an answer, the list stays empty, and the user continues typing.
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
