import { memo } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { classes } from '../../../kit/components/button.tsx';
import { Glyph } from '../../../kit/components/glyph.tsx';
import edges from '../../../kit/components/picture-edge.module.css';
import tints from '../../../kit/components/type-tint.module.css';
import { formatDateTime, formatDuration, formatListDate, formatUtc } from '../../../kit/text/format.ts';
import { mediaLook, typeWord } from '../../../kit/text/states.ts';
import { useApp } from '../../common/state/app-store.ts';
import { useItemPlace } from '../selection/item-keys.ts';
import { itemKey, useUnsavedItems } from '../state/unsaved-edits.ts';
import { texts } from '../texts.ts';
import { MediaRowMenu } from './media-row-menu.tsx';
import styles from './media-tile.module.css';
import { PendingMark } from './pending-mark.tsx';
import { Thumbnail } from './thumbnail.tsx';

/** The height of the text below the picture: two lines of title and one line of facts. */
export const TILE_TEXT_HEIGHT = 62;

interface MediaTileProps {
  /** The item; undefined while it is being loaded. */
  row: MediaRow | undefined;
  pictureHeight: number;
  /** Shows the menu. */
  isActive: boolean;
}

/** An item in the grid: its picture, title, length, status, and collection or date. A screen reader reads the title first. */
export const MediaTile = memo(function MediaTile({ row, pictureHeight, isActive }: MediaTileProps) {
  const siteId = useApp((state) => state.siteId);
  const isEdited = useUnsavedItems(
    (state) => row !== undefined && siteId !== null && state.keys.has(itemKey(siteId, row.id)),
  );
  // In the list of a single collection, the tile shows the date instead of the name of the collection.
  const { collection, isHere } = useItemPlace(row);
  if (row === undefined) return <Placeholder pictureHeight={pictureHeight} />;
  const look = mediaLook(row.status);
  const isQuiet = row.status === 'published' && !isEdited && !isHere;
  const status = isEdited ? texts.list.unsaved : look.word;
  return (
    <>
      <div className={classes(styles.title, isActive && styles.besideMenu)} title={row.title}>
        {row.title || texts.inspector.untitled}
      </div>
      <span className="visually-hidden">{typeWord(row.type)}</span>
      <div className={styles.facts} data-tone={isEdited ? 'waiting' : look.tone}>
        <Glyph name={isEdited ? 'draft' : look.icon} size={13} />
        <span className={isQuiet ? 'visually-hidden' : styles.status}>{status}</span>
        <PendingMark row={row} />
        {isHere ? <Added on={row.createdOn} /> : <span className={styles.collection}>{collection}</span>}
      </div>
      <div
        className={classes(tints.tint, edges.edge, styles.picture)}
        style={{ height: pictureHeight }}
        data-type={row.type ?? ''}
      >
        <Thumbnail siteId={siteId} row={row} />
        {row.durationSeconds ? <span className={styles.length}>{formatDuration(row.durationSeconds)}</span> : null}
      </div>
      {isActive ? (
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
