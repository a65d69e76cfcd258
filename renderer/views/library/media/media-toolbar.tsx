import { Ellipsis, PanelRightClose, PanelRightOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { modKey } from '../../../bridge/bridge.ts';
import { openCollection } from '../../../commands/commands.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { SearchField } from '../../../components/forms/field.tsx';
import type { Option } from '../../../components/forms/select.tsx';
import { ActionMenu } from '../../../components/overlay/menu.tsx';
import { OverflowToolbar, selectItem } from '../../../components/toolbar/overflow-toolbar.tsx';
import { toggleInspector, useLayout } from '../../../stores/app/layout-store.ts';
import { useMediaLayout } from '../../../stores/library/media-layout.ts';
import { changeQuery, mediaList } from '../../../stores/library/media-store.ts';
import { useSelectedCount } from '../../../stores/library/selection/media-selection.ts';
import { pathOf, useTree } from '../../../stores/library/tree-store.ts';
import { AddButton } from '../../shared/add-button.tsx';
import { groupsOfOne } from '../collections/collection-menu.tsx';
import { texts as collectionTexts } from '../collections/texts.ts';
import { focusMediaList } from '../focus.ts';
import styles from '../library-view.module.css';
import { texts } from '../texts.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { LayoutSwitch, TileSize } from './layout-controls.tsx';
import { sortItem } from './sort-item.ts';

const TYPES: readonly Option<string>[] = [
  { value: '', label: texts.toolbar.types.all },
  { value: 'video', label: texts.toolbar.types.video },
  { value: 'audio', label: texts.toolbar.types.audio },
  { value: 'doc', label: texts.toolbar.types.doc },
  { value: 'image', label: texts.toolbar.types.image },
];

const STATUSES: readonly Option<string>[] = [
  { value: '', label: texts.toolbar.statuses.all },
  { value: 'published', label: texts.toolbar.statuses.published },
  { value: 'scheduled', label: texts.toolbar.statuses.scheduled },
  { value: 'draft', label: texts.toolbar.statuses.draft },
];

/** The name of the open collection, with search and filters. */
export function MediaToolbar() {
  const query = mediaList.useList((state) => state.query);
  const row = useTree((state) => (query?.collectionId == null ? undefined : state.rows.get(query.collectionId)));
  const layout = useMediaLayout((state) => state.layout);
  if (query === null) return null;
  return (
    <div className={styles.toolbar}>
      <div className={styles.heading}>
        <Heading />
        {row === undefined ? null : <CollectionButton row={row} />}
        <AddButton label={texts.toolbar.addHere} />
        <InspectorButton />
      </div>
      <div className={styles.filters}>
        <MediaSearch key={`${query.siteId}/${query.collectionId}`} />
        <OverflowToolbar
          label={texts.toolbar.filters}
          items={[
            selectItem({
              id: 'type',
              label: texts.toolbar.type,
              value: query.type ?? '',
              restValue: '',
              options: TYPES,
              onChange: (type) => changeQuery({ type: type === '' ? null : type }),
            }),
            selectItem({
              id: 'status',
              label: texts.toolbar.status,
              value: query.status ?? '',
              restValue: '',
              options: STATUSES,
              onChange: (status) => changeQuery({ status: status === '' ? null : status }),
            }),
            // The list sorts by its column headers.
            ...(layout === 'grid' ? [sortItem(query)] : []),
          ]}
        />
        {layout === 'grid' ? <TileSize /> : <ColumnChooser />}
        <LayoutSwitch />
      </div>
    </div>
  );
}

/** The commands of the open collection, as in its context menu. */
function CollectionButton({ row }: { row: CollectionRow }) {
  return (
    <ActionMenu label={collectionTexts.menu.label(row.displayName)} placement="bottom end" groups={groupsOfOne(row)}>
      <IconButton label={collectionTexts.page.commands}>
        <Ellipsis size={16} />
      </IconButton>
    </ActionMenu>
  );
}

function InspectorButton() {
  const isOpen = useLayout((state) => state.panes.inspector === 'docked');
  const Icon = isOpen ? PanelRightClose : PanelRightOpen;
  return (
    <IconButton
      label={isOpen ? texts.inspector.hide : texts.inspector.show}
      keys={`${modKey()}I`}
      onPress={toggleInspector}
    >
      <Icon size={16} strokeWidth={1.75} />
    </IconButton>
  );
}

function Heading() {
  const rows = useTree((state) => state.rows);
  const selectedId = useTree((state) => state.selectedId);
  const total = mediaList.useList((state) => state.total);
  const selected = useSelectedCount();
  const path = selectedId === null ? [] : pathOf(rows, selectedId);
  const above = path.slice(0, -1);
  return (
    <div className={styles.names}>
      {above.length === 0 ? null : (
        <span className={styles.crumbs}>
          {above.map((row) => (
            <span key={row.id}>
              <Button variant="link" onPress={() => openCollection(row.id)}>
                {row.displayName}
              </Button>
              &nbsp;›&nbsp;
            </span>
          ))}
        </span>
      )}
      <h1 className={styles.title}>
        {selectedId === null ? texts.toolbar.all : (path.at(-1)?.displayName ?? texts.toolbar.collection)}
      </h1>
      <span className={styles.count} role="status">
        {total === null ? '' : selected > 1 ? texts.toolbar.selected(selected, total) : texts.toolbar.count(total)}
      </span>
    </div>
  );
}

const SEARCH_DELAY_MS = 220;

function MediaSearch() {
  const search = mediaList.useList((state) => state.query?.search ?? '');
  const [text, setText] = useState(search);
  // Clears the box when the search was cleared elsewhere.
  useEffect(() => setText((typed) => (typed.trim() === search ? typed : search)), [search]);
  useEffect(() => {
    if (text.trim() === search) return;
    const timer = window.setTimeout(() => changeQuery({ search: text.trim() }), SEARCH_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [text, search]);
  return (
    <div className={styles.search} data-search>
      <SearchField
        label={texts.toolbar.search}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
          event.preventDefault();
          // A search that is still waiting would later deselect what the user chooses in the list.
          if (text.trim() !== search) changeQuery({ search: text.trim() });
          focusMediaList();
        }}
      />
    </div>
  );
}
