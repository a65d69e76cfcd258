import type { LibraryQuery, QueryTerm } from '../../../../shared/model/library-query/library-query.ts';
import { includesTerm } from '../../../../shared/model/library-query/query-chips.ts';
import type { MenuEntry, MenuGroup } from '../../../kit/components/overlay/menu.tsx';
import { type EditedKind, openEditor, toggleTerm } from '../state/query/query-store.ts';
import { texts } from './texts.ts';

const TYPES = ['video', 'audio', 'doc', 'image'] as const;
const STATUSES = ['published', 'scheduled', 'draft'] as const;
const FIELDS = ['captions', 'description'] as const;
const EDITED: readonly EditedKind[] = ['tag', 'byline', 'created', 'modified', 'published', 'duration'];

/** Returns the entries of the filter menu. Conditions that the search contains are checked. */
export function filterGroups(query: LibraryQuery): MenuGroup[] {
  const toggle = (id: string, label: string, term: QueryTerm): MenuEntry => ({
    ...{ id, label, isChecked: includesTerm(query, term) },
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
      entries: EDITED.map((kind) => ({ id: kind, label: texts.menu[kind], onAction: () => openEditor(kind, null) })),
    },
  ];
}
