import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { canonicalTag } from '../../../../shared/model/edits/canonical.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { suggestTags } from '../../library/state/suggest-tags.ts';
import styles from './grid-editor.module.css';

/** More choices are not listed: the user types a part of the name instead. */
const MOST_SHOWN = 50;

/** Returns the choices for a typed text: choices that begin with it, then choices that contain it. null: no text is typed. */
export function shownChoices(choices: readonly string[], typed: string | null): string[] {
  const wanted = (typed ?? '').trim().toLowerCase();
  if (wanted === '') return choices.slice(0, MOST_SHOWN);
  const folded = choices.map((choice) => choice.toLowerCase());
  const first = choices.filter((_, at) => folded[at]?.startsWith(wanted));
  const others = choices.filter((_, at) => folded[at]?.startsWith(wanted) === false && folded[at]?.includes(wanted));
  return [...first, ...others].slice(0, MOST_SHOWN);
}

interface ChoiceListProps {
  id: string;
  label: string;
  choices: readonly string[];
  /** The index of the choice that Enter accepts; -1 for none. */
  active: number;
  onTake: (choice: string) => void;
}

/** The possible values of a cell, below the cell and above everything else. */
export function ChoiceList({ id, label, choices, active, onTake }: ChoiceListProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => list.current?.showPopover(), []);
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} popover="manual" className={styles.choices} tabIndex={-1}>
      {choices.map((choice, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, see its aria-activedescendant
        <div
          key={choice}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          // The field keeps the keyboard.
          onMouseDown={(event) => {
            event.preventDefault();
            event.stopPropagation();
          }}
          onClick={() => onTake(choice)}
        >
          {choice}
        </div>
      ))}
    </div>
  );
}

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
