import { ListFilter } from 'lucide-react';
import type { LibraryQuery, QueryTerm } from '../../../../shared/model/library-query/library-query.ts';
import { includesTerm } from '../../../../shared/model/library-query/query-chips.ts';
import { Button } from '../../../kit/components/button.tsx';
import { ActionMenu, type MenuEntry, type MenuGroup } from '../../../kit/components/overlay/menu.tsx';
import type { ToolbarItem } from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { type ConditionKind, openConditionEditor, toggleTerm } from '../state/query/query-store.ts';
import { texts } from './texts.ts';

/** The filter menu as an item of a toolbar. */
export function filterItem(query: LibraryQuery): ToolbarItem {
  const groups = filterGroups(query);
  return {
    id: 'filter',
    element: (
      <ActionMenu label={texts.filters} groups={groups}>
        <Button variant="quiet" icon={<ListFilter size={15} strokeWidth={1.75} aria-hidden />}>
          {texts.filter}
        </Button>
      </ActionMenu>
    ),
    menu: groups,
  };
}

const TYPES = ['video', 'audio', 'doc', 'image'] as const;
const STATUSES = ['published', 'scheduled', 'draft'] as const;
const FIELDS = ['captions', 'description'] as const;
const EDITED: readonly ConditionKind[] = ['tag', 'byline', 'created', 'modified', 'published', 'duration'];

/** Returns the entries of the filter menu. Conditions that the search contains are checked. */
function filterGroups(query: LibraryQuery): MenuGroup[] {
  const toggle = (id: string, label: string, term: QueryTerm): MenuEntry => ({
    id,
    label,
    isChecked: includesTerm(query, term),
    onAction: () => toggleTerm(term),
  });
  return [
    {
      title: texts.kinds.type,
      isMultiple: true,
      entries: TYPES.map((value) =>
        toggle(`type/${value}`, texts.types[value], { kind: 'type', value, isNegated: false }),
      ),
    },
    {
      title: texts.kinds.status,
      isMultiple: true,
      entries: STATUSES.map((value) =>
        toggle(`status/${value}`, texts.statuses[value], { kind: 'status', value, isNegated: false }),
      ),
    },
    {
      title: texts.groups.contents,
      isMultiple: true,
      entries: FIELDS.flatMap((field) =>
        [false, true].map((isNegated) =>
          toggle(`${isNegated ? 'no' : 'has'}/${field}`, (isNegated ? texts.without : texts.with)[field], {
            kind: 'has',
            field,
            isNegated,
          }),
        ),
      ),
    },
    {
      title: texts.groups.more,
      entries: EDITED.map((kind) => ({
        id: kind,
        label: texts.menu[kind],
        onAction: () => openConditionEditor(kind, null),
      })),
    },
  ];
}
