import { X } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { QueryTerm } from '../../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { chipsOf, type QueryChip, withoutGroup } from '../../../../shared/model/library-query/query-chips.ts';
import { ActionMenu, type MenuGroup } from '../../../kit/components/overlay/menu.tsx';
import { commandItem, OverflowToolbar, type ToolbarItem } from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { saveCurrentSearch } from '../commands/search-commands.ts';
import { mediaList, useMediaFacts } from '../state/media-store.ts';
import {
  type ConditionKind,
  invertChip,
  openConditionEditor,
  removeChip,
  replaceSearch,
} from '../state/query/query-store.ts';
import { chipText, useQueryNames } from './chip-text.ts';
import styles from './query.module.css';
import { texts } from './texts.ts';

/** The conditions of the search as chips in one line; chips without room are in a menu. Renders nothing when there are none. */
export function QueryChips() {
  const search = mediaList.useList((state) => state.query?.search ?? '');
  const chips = useMemo(() => chipsOf(parseQuery(search).query), [search]);
  const names = useQueryNames();
  const box = useRef<HTMLDivElement>(null);
  if (chips.length === 0) return null;

  const remove = (chip: QueryChip) => {
    removeChip(chip.index);
    // After the last chip was removed, the toolbar is gone.
    requestAnimationFrame(() => focusChip(box.current, chips.indexOf(chip)));
  };
  const items = chips.map((chip): ToolbarItem => {
    const label = chipText(chip.terms, names);
    const groups = groupsOf(chip, () => remove(chip));
    return {
      id: `${chip.index}/${chip.text}`,
      element: <Chip label={label} groups={groups} onRemove={() => remove(chip)} />,
      menu: [
        {
          title: label,
          entries: groups.flatMap(({ entries }) =>
            entries.map((entry) => ({ ...entry, id: `${chip.index}/${entry.id}` })),
          ),
        },
      ],
    };
  });
  const save = commandItem({ id: 'save', label: texts.saved.save, onAction: saveCurrentSearch });
  const clear = commandItem({ id: 'clear', label: texts.clear, onAction: () => clearChips(search) });
  return (
    <div ref={box} className={styles.chips}>
      <OverflowToolbar label={texts.chips} items={[...items, save, clear]} />
    </div>
  );
}

interface ChipProps {
  label: string;
  groups: readonly MenuGroup[];
  onRemove: () => void;
}

function Chip({ label, groups, onRemove }: ChipProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    onRemove();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the button inside
    <span className={styles.chip} onKeyDown={onKeyDown} data-chip>
      <ActionMenu label={texts.more(label)} groups={groups}>
        <AriaButton className={styles.chipName ?? ''} aria-keyshortcuts="Delete">
          {label}
        </AriaButton>
      </ActionMenu>
      <button
        type="button"
        className={styles.remove}
        aria-label={texts.removeChip(label)}
        title={texts.removeChip(label)}
        onClick={onRemove}
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}

function groupsOf({ index, terms }: QueryChip, onRemove: () => void): MenuGroup[] {
  const [only, ...others] = terms;
  const kind = others.length === 0 && only !== undefined ? editedKindOf(only) : null;
  const isExcluded = terms.every(({ isNegated }) => isNegated);
  return [
    {
      entries: [
        ...(kind === null ? [] : [{ id: 'edit', label: texts.edit, onAction: () => openConditionEditor(kind, index) }]),
        // Offered when all alternatives are excluded, or none: inverting a mix leaves a search that no user would ask for.
        ...(isExcluded || terms.every(({ isNegated }) => !isNegated)
          ? [{ id: 'invert', label: isExcluded ? texts.include : texts.invert, onAction: () => invertChip(index) }]
          : []),
        { id: 'remove', label: texts.remove, detail: 'Del', onAction: onRemove },
      ],
    },
  ];
}

const EDITED: readonly string[] = ['tag', 'byline', 'created', 'modified', 'published', 'duration'];

function editedKindOf({ kind }: QueryTerm): ConditionKind | null {
  return EDITED.includes(kind) ? (kind as ConditionKind) : null;
}

/** Removes all conditions and keeps the words. */
function clearChips(search: string): void {
  const chips = chipsOf(parseQuery(search).query);
  let rest = search;
  for (const { index } of chips.toReversed()) rest = withoutGroup(rest, index);
  replaceSearch(rest);
  document.querySelector<HTMLInputElement>('[data-search] input')?.focus();
}

/** Moves the keyboard focus to the chip at the position of a removed one; without chips, to the search field. */
function focusChip(box: HTMLElement | null, place: number): void {
  const buttons = [
    ...(box?.querySelectorAll<HTMLElement>('[data-item]:not([inert]) [data-chip] > button:first-child') ?? []),
  ];
  const next = buttons[Math.min(place, buttons.length - 1)];
  (next ?? document.querySelector<HTMLElement>('[data-search] input'))?.focus();
}

/** Shows how many items may be missing from the list because the library has not reported yet whether they have captions. */
export function UnknownCaptions() {
  const unknown = useMediaFacts((state) => state.captionsUnknown);
  if (unknown === 0) return null;
  return (
    <p className={styles.hint} role="status">
      {texts.captionsUnknown(unknown)}
    </p>
  );
}
