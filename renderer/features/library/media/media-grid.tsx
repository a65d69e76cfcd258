import { memo, useCallback } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { classes } from '../../../kit/components/button.tsx';
import { Glyph } from '../../../kit/components/glyph.tsx';
import type { TileState } from '../../../kit/components/list/virtual-tiles.tsx';
import { WindowedTiles } from '../../../kit/components/list/windowed-grid.tsx';
import tints from '../../../kit/components/type-icon.module.css';
import { formatDateTime, formatDuration, formatListDate, formatUtc } from '../../../kit/text/format.ts';
import { mediaLook, typeWord } from '../../../kit/text/states.ts';
import { PendingMark } from '../../common/pending-mark.tsx';
import { useApp } from '../../common/state/app-store.ts';
import { runRowCommand } from '../commands/one-item-commands.ts';
import { runItemKey, useItemPlace } from '../selection/item-keys.ts';
import { useItemDrag } from '../selection/use-item-drag.ts';
import { useMediaLayout } from '../state/media-columns.ts';
import { firstShown, mediaList } from '../state/media-store.ts';
import { itemKey, useUnsavedItems } from '../state/unsaved-edits.ts';
import { texts } from '../texts.ts';
import { useHeadings } from './group-headings.ts';
import { MediaRowMenu } from './media-row-menu.tsx';
import styles from './media-tile.module.css';
import { NoMedia } from './no-media.tsx';
import { Thumbnail } from './thumbnail.tsx';
import { TitleField, useIsRenamed } from './title-field.tsx';

const PLACEHOLDER_TILES = 24;

const openRow = (index: number) => runRowCommand('play', index);
const previewRow = (index: number) => runRowCommand('preview', index);

/** The media of a collection or a search, as tiles with their pictures. */
export function MediaGrid() {
  const tileWidth = useMediaLayout((state) => state.tileWidth);
  const renderTile = useCallback(
    (index: number, { layout, isActive }: TileState) => (
      <MediaTile row={mediaList.rowAt(index)} pictureHeight={layout.pictureHeight - 4} isActive={isActive} />
    ),
    [],
  );
  const headings = useHeadings(mediaList.useList((state) => state.query?.sort ?? ''));
  const beginDrag = useItemDrag();
  return (
    <WindowedTiles
      list={mediaList}
      label={texts.list.label}
      placeholderRows={PLACEHOLDER_TILES}
      tileWidth={tileWidth}
      textHeight={TILE_TEXT_HEIGHT}
      headings={headings}
      startAt={firstShown()}
      hasChecks
      selectsResults
      onKey={runItemKey}
      onDragStart={beginDrag}
      onActivate={openRow}
      onPreview={previewRow}
      renderTile={renderTile}
      errorTitle={texts.list.notListed}
      empty={<NoMedia />}
    />
  );
}

/** The height of the text below the picture: two lines of title and one line of facts. */
const TILE_TEXT_HEIGHT = 62;

interface MediaTileProps {
  /** The item; undefined while it is being loaded. */
  row: MediaRow | undefined;
  pictureHeight: number;
  /** Shows the menu. */
  isActive: boolean;
}

/** An item in the grid: its picture, title, length, status, and collection or date. A screen reader reads the title first. */
const MediaTile = memo(function MediaTile({ row, pictureHeight, isActive }: MediaTileProps) {
  const siteId = useApp((state) => state.siteId);
  const isEdited = useUnsavedItems(
    (state) => row !== undefined && siteId !== null && state.keys.has(itemKey(siteId, row.id)),
  );
  const isRenamed = useIsRenamed(row?.id ?? '');
  // In the list of a single collection, the tile shows the date instead of the name of the collection.
  const { collection, isHere } = useItemPlace(row);
  if (row === undefined) return <Placeholder pictureHeight={pictureHeight} />;
  const look = mediaLook(row.status);
  const isQuiet = row.status === 'published' && !isEdited && !isHere;
  const status = isEdited ? texts.list.unsaved : look.word;
  return (
    <>
      {isRenamed ? (
        <div className={styles.rename}>
          <TitleField key={row.id} />
        </div>
      ) : (
        <div className={classes(styles.title, isActive && styles.besideMenu)} title={row.title}>
          {row.title || texts.inspector.untitled}
        </div>
      )}
      <span className="visually-hidden">{typeWord(row.type)}</span>
      <div className={styles.facts} data-tone={isEdited ? 'waiting' : look.tone}>
        <Glyph name={isEdited ? 'draft' : look.icon} size={13} />
        <span className={isQuiet ? 'visually-hidden' : styles.status}>{status}</span>
        <PendingMark row={row} />
        {isHere ? <Added on={row.createdOn} /> : <span className={styles.collection}>{collection}</span>}
      </div>
      <div
        className={classes(tints.tint, tints.edge, styles.picture)}
        style={{ height: pictureHeight }}
        data-type={row.type ?? ''}
      >
        <Thumbnail siteId={siteId} row={row} collectionId={row.collectionId} />
        {row.durationSeconds ? <span className={styles.length}>{formatDuration(row.durationSeconds)}</span> : null}
      </div>
      {isActive && !isRenamed ? (
        <div className={styles.menu}>
          <MediaRowMenu row={row} />
        </div>
      ) : null}
    </>
  );
});

/** When an item was added. */
function Added({ on }: { on: string | null }) {
  if (on === null) return null;
  return (
    <span className={styles.added} title={`${formatDateTime(on)} (${formatUtc(on)})`}>
      {formatListDate(on, Date.now())}
    </span>
  );
}

function Placeholder({ pictureHeight }: { pictureHeight: number }) {
  return (
    <>
      <div className={styles.bone} data-loading />
      <div className={styles.picture} style={{ height: pictureHeight }} />
      <span className="visually-hidden">{texts.list.loading}</span>
    </>
  );
}
