import { Ellipsis, LayoutGrid, List, PanelRightClose, PanelRightOpen } from 'lucide-react';
import type { CollectionRow, MediaQuery } from '../../../../shared/contract/library.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { canRank } from '../../../../shared/model/library-query/query-chips.ts';
import { GROUPED_SORTS } from '../../../../shared/model/list-groups.ts';
import { isLocalSort } from '../../../../shared/model/local-sorts.ts';
import { modKey } from '../../../kit/bridge/bridge.ts';
import { Button, IconButton } from '../../../kit/components/button.tsx';
import { Segments } from '../../../kit/components/forms/choice.tsx';
import { ActionMenu } from '../../../kit/components/overlay/menu.tsx';
import {
  OverflowToolbar,
  selectToolbarItem,
  type ToolbarItem,
} from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { openCollection } from '../../common/commands/commands.ts';
import { AddButton, ColumnMenu } from '../../common/menus.tsx';
import { toggleInspector, useLayout } from '../../common/state/layout-store.ts';
import { notify } from '../../common/state/messages-store.ts';
import { groupsOfOne } from '../collections/collection-menu.tsx';
import { CollectionPicture } from '../collections/collection-picture.tsx';
import { texts as collectionTexts } from '../collections/texts.ts';
import styles from '../library-view.module.css';
import { filterItem } from '../query/filter-menu.tsx';
import { QueryChips, UnknownCaptions } from '../query/query-chips.tsx';
import { QueryHintNote, QuerySearch } from '../query/query-search.tsx';
import { texts as queryTexts } from '../query/texts.ts';
import {
  COLUMN_IDS,
  COLUMNS,
  isColumnShown,
  type ListOrder,
  type MediaLayout,
  resetColumns,
  resizeTiles,
  showLayout,
  TILE_WIDTH,
  toggleColumn,
  toggleCompact,
  togglePictures,
  useMediaColumns,
  useMediaLayout,
} from '../state/media-columns.ts';
import { groupBy, groupingOf, mediaList, orderBy, useGrouping } from '../state/media-store.ts';
import { useSelectedCount } from '../state/selection/media-selection.ts';
import { useSync } from '../state/sync-store.ts';
import { collectionsOnPath, useTree } from '../state/tree-store.ts';
import { texts } from '../texts.ts';

/** The name of the open collection, with search and filters. */
export function MediaToolbar() {
  const query = mediaList.useList((state) => state.query);
  const row = useTree((state) => (query?.collectionId == null ? undefined : state.rows.get(query.collectionId)));
  const layout = useMediaLayout((state) => state.layout);
  const isCopied = useSync((state) => query !== null && state.bySite[query.siteId]?.phase === 'ready');
  const isGrouped = useGrouping((state) => state.isGrouped);
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
            ...(layout === 'grid' || canRank(parsed) ? [sortItem(query, isCopied)] : []),
            ...(isCopied ? [groupItem(query, isGrouped)] : []),
          ]}
        />
        {layout === 'grid' ? <TileSize /> : <ColumnChooser />}
        <LayoutSwitch />
      </div>
      <QueryHintNote />
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
  const path = selectedId === null ? [] : collectionsOnPath(rows, selectedId);
  const above = path.slice(0, -1);
  const isDirectOnly = mediaList.useList(({ query }) => query?.search === '' && query.includesBelow !== true);
  const below = isDirectOnly ? (path.at(-1)?.mediaCountBelow ?? 0) : 0;
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
        {total === null || selected > 1 || below === 0 ? null : (
          <span className={styles.below}>{texts.toolbar.below(below)}</span>
        )}
      </span>
    </div>
  );
}

const LAYOUTS: readonly { value: MediaLayout; label: string; icon: React.ReactNode }[] = [
  { value: 'list', label: texts.media.layout.list, icon: <List size={15} aria-hidden /> },
  { value: 'grid', label: texts.media.layout.grid, icon: <LayoutGrid size={15} aria-hidden /> },
];

/** Shows the items as a list or as a grid. */
function LayoutSwitch() {
  const layout = useMediaLayout((state) => state.layout);
  return (
    <div className={styles.layout}>
      <Segments label={texts.media.layout.label} hideLabel value={layout} options={LAYOUTS} onChange={showLayout} />
    </div>
  );
}

/** The size of the tiles of the grid. */
function TileSize() {
  const tileWidth = useMediaLayout((state) => state.tileWidth);
  return (
    <input
      type="range"
      className={styles.size}
      aria-label={texts.media.tile.size}
      title={texts.media.tile.size}
      {...TILE_WIDTH}
      value={tileWidth}
      onChange={(event) => resizeTiles(event.currentTarget.valueAsNumber, false)}
      onPointerUp={(event) => resizeTiles(event.currentTarget.valueAsNumber, true)}
      onKeyUp={(event) => resizeTiles(event.currentTarget.valueAsNumber, true)}
    />
  );
}

/** Chooses the columns of the list. The title is always shown. */
function ColumnChooser() {
  const state = useMediaColumns();
  const { hasPictures, isCompact } = useMediaLayout();
  return (
    <ColumnMenu
      label={texts.media.columns.choose}
      columns={[
        { id: 'compact', label: texts.media.columns.compact, isChecked: isCompact, onAction: toggleCompact },
        { id: 'picture', label: texts.media.columns.picture, isChecked: hasPictures, onAction: togglePictures },
        ...COLUMN_IDS.map((id) => ({
          id,
          label: texts.media.columns[id],
          isChecked: isColumnShown(state, id),
          isDisabled: id === 'title',
          onAction: () => toggleColumn(id),
        })),
      ]}
      others={[
        // The API has no such field: the entry says so to those who look for it.
        {
          id: 'creator',
          label: texts.media.columns.creator,
          reason: texts.media.columns.noCreator,
          onAction: () => notify(texts.media.columns.noCreator),
        },
        { id: 'reset', label: texts.media.columns.reset, onAction: resetColumns },
      ]}
    />
  );
}

interface Order extends ListOrder {
  label: string;
}

const ORDERS: readonly Order[] = [
  { sort: 'created_on', order: 'desc', label: texts.media.sort.newest },
  { sort: 'created_on', order: 'asc', label: texts.media.sort.oldest },
  { sort: 'modified_on', order: 'desc', label: texts.media.sort.changed },
  { sort: 'publish_on', order: 'desc', label: texts.media.sort.published },
  { sort: 'title', order: 'asc', label: texts.media.sort.title },
  { sort: 'title', order: 'desc', label: texts.media.sort.titleDown },
  { sort: 'popularity', order: 'desc', label: texts.media.sort.popularity },
  { sort: 'likes', order: 'desc', label: texts.media.sort.likes },
  { sort: 'comments', order: 'desc', label: texts.media.sort.comments },
  { sort: 'duration', order: 'desc', label: texts.media.sort.longest },
  { sort: 'size', order: 'desc', label: texts.media.sort.largest },
  { sort: 'collection', order: 'asc', label: texts.media.sort.collection },
  { sort: 'type', order: 'asc', label: texts.media.sort.type },
  { sort: 'status', order: 'asc', label: texts.media.sort.status },
  { sort: 'byline', order: 'asc', label: texts.media.sort.byline },
];
const BEST_MATCH: Order = { sort: 'relevance', order: 'desc', label: texts.media.sort.relevance };

const keyOf = ({ sort, order }: Pick<Order, 'sort' | 'order'>) => `${sort} ${order}`;

/**
 * The order of the items, as a choice in the toolbar. Only a search has a best match, and only a copied library the local orders.
 * An order that a column header chose stays in the list.
 */
function sortItem(query: MediaQuery, isCopied: boolean): ToolbarItem {
  const known = [...(query.search === '' ? [] : [BEST_MATCH]), ...ORDERS];
  const orders = known.filter(({ sort }) => isCopied || !isLocalSort(sort));
  if (!known.some((each) => keyOf(each) === keyOf(query))) orders.push(columnOrder(query));
  return selectToolbarItem({
    id: 'sort',
    label: texts.media.sort.label,
    value: keyOf(query),
    options: orders.map((each) => ({ value: keyOf(each), label: each.label })),
    onChange: (value) => {
      const chosen = orders.find((each) => keyOf(each) === value);
      if (chosen !== undefined) orderBy({ sort: chosen.sort, order: chosen.order });
    },
  });
}

/** The order that the user chose with a column header of the list. */
function columnOrder({ sort, order }: MediaQuery): Order {
  const column = COLUMN_IDS.find((id) => COLUMNS[id].sort === sort);
  const label = column === undefined ? sort : texts.media.columns[column];
  return { sort, order, label: texts.media.sort.byColumn(label, order === 'asc') };
}

/** Groups the list by one of its columns. The order of the list follows the groups, and the groups a new order. */
function groupItem(query: MediaQuery, isGrouped: boolean): ToolbarItem {
  const columns = COLUMN_IDS.filter((id) => GROUPED_SORTS.some((sort) => sort === COLUMNS[id].sort));
  return selectToolbarItem({
    id: 'groups',
    label: texts.media.groups.label,
    value: groupingOf(query.sort, isGrouped) ?? NO_GROUPS,
    restValue: NO_GROUPS,
    options: [
      { value: NO_GROUPS, label: texts.media.groups.none },
      ...columns.map((id) => ({ value: COLUMNS[id].sort, label: texts.media.groups.by(texts.media.columns[id]) })),
    ],
    onChange: (value) => groupBy(groupingOf(value, true)),
  });
}

const NO_GROUPS = 'none';
