import { ListFilter } from 'lucide-react';
import type { LibraryQuery } from '../../../../shared/model/library-query/library-query.ts';
import { Button } from '../../../kit/components/button.tsx';
import { ActionMenu } from '../../../kit/components/overlay/menu.tsx';
import type { ToolbarItem } from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { filterGroups } from './filter-groups.ts';
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
