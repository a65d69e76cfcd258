import { useCallback } from 'react';
import type { TileState } from '../../../kit/components/list/virtual-tiles.tsx';
import { WindowedTiles } from '../../../kit/components/list/windowed-grid.tsx';
import { focusInspector } from '../focus.ts';
import { runItemKey } from '../selection/item-keys.ts';
import { useItemDrag } from '../selection/use-item-drag.ts';
import { useMediaLayout } from '../state/media-columns.ts';
import { firstShown, mediaList } from '../state/media-store.ts';
import { texts } from '../texts.ts';
import { MediaTile, TILE_TEXT_HEIGHT } from './media-tile.tsx';
import { NoMedia } from './no-media.tsx';

const PLACEHOLDER_TILES = 24;

/** The media of a collection or a search, as tiles with their pictures. */
export function MediaGrid() {
  const tileWidth = useMediaLayout((state) => state.tileWidth);
  const renderTile = useCallback(
    (index: number, { layout, isActive }: TileState) => (
      <MediaTile row={mediaList.rowAt(index)} pictureHeight={layout.pictureHeight - 4} isActive={isActive} />
    ),
    [],
  );
  const beginDrag = useItemDrag();
  return (
    <WindowedTiles
      list={mediaList}
      label={texts.list.label}
      placeholderRows={PLACEHOLDER_TILES}
      tileWidth={tileWidth}
      textHeight={TILE_TEXT_HEIGHT}
      startAt={firstShown()}
      hasChecks
      selectsResults
      onKey={runItemKey}
      onDragStart={beginDrag}
      onActivate={focusInspector}
      renderTile={renderTile}
      errorTitle={texts.list.notListed}
      empty={<NoMedia />}
    />
  );
}
