import { Ellipsis, PanelRightClose, PanelRightOpen } from 'lucide-react';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { canRank } from '../../../../shared/model/library-query/query-chips.ts';
import { modKey } from '../../../kit/bridge/bridge.ts';
import { Button, IconButton } from '../../../kit/components/button.tsx';
import { ActionMenu } from '../../../kit/components/overlay/menu.tsx';
import { OverflowToolbar } from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { openCollection } from '../../common/commands/commands.ts';
import { AddButton } from '../../common/menus.tsx';
import { toggleInspector, useLayout } from '../../common/state/layout-store.ts';
import { groupsOfOne } from '../collections/collection-menu.tsx';
import { CollectionPicture } from '../collections/collection-picture.tsx';
import { texts as collectionTexts } from '../collections/texts.ts';
import styles from '../library-view.module.css';
import { filterItem } from '../query/filter-item.tsx';
import { QueryChips } from '../query/query-chips.tsx';
import { QueryHint, QuerySearch } from '../query/query-search.tsx';
import { texts as queryTexts } from '../query/texts.ts';
import { UnknownCaptions } from '../query/unknown-captions.tsx';
import { useMediaLayout } from '../state/media-layout.ts';
import { mediaList } from '../state/media-store.ts';
import { useSelectedCount } from '../state/selection/media-selection.ts';
import { pathOf, useTree } from '../state/tree-store.ts';
import { texts } from '../texts.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { LayoutSwitch, TileSize } from './layout-controls.tsx';
import { sortItem } from './sort-item.ts';

/** The name of the open collection, with search and filters. */
export function MediaToolbar() {
  const query = mediaList.useList((state) => state.query);
  const row = useTree((state) => (query?.collectionId == null ? undefined : state.rows.get(query.collectionId)));
  const layout = useMediaLayout((state) => state.layout);
  if (query === null) return null;
  const parsed = parseQuery(query.search).query;
  return (
    <div className={styles.toolbar}>
      <div className={styles.heading}>
        {row === undefined ? null : (
          <CollectionPicture key={row.id} id={row.id} className={styles.picture}>
            {null}
          </CollectionPicture>
        )}
        <Heading />
        {row === undefined ? null : <CollectionButton row={row} />}
        <AddButton label={texts.toolbar.addHere} />
        <InspectorButton />
      </div>
      <div className={styles.filters}>
        <QuerySearch />
        <OverflowToolbar
          label={queryTexts.filters}
          items={[
            filterItem(parsed),
            // The column headers sort the list, but no column stands for the best match.
            ...(layout === 'grid' || canRank(parsed) ? [sortItem(query)] : []),
          ]}
        />
        {layout === 'grid' ? <TileSize /> : <ColumnChooser />}
        <LayoutSwitch />
      </div>
      <QueryHint />
      <QueryChips />
      <UnknownCaptions />
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
      <span className={styles.count} role="status" {...(selected > 1 ? { 'data-selected': '' } : {})}>
        {total === null ? '' : selected > 1 ? texts.toolbar.selected(selected, total) : texts.toolbar.count(total)}
      </span>
    </div>
  );
}
