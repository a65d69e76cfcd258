import type { MediaRow } from '../../../../shared/contract/library.ts';
import { Glyph, type GlyphName } from '../../../kit/components/glyph.tsx';
import { LoadedImage } from '../../common/loaded-image.tsx';
import { changesOf, thumbnailAddress, useThumbnails } from '../state/thumbnails.ts';
import styles from './media-tile.module.css';
import { SoundPicture } from './sound-picture.tsx';

const GLYPHS: readonly GlyphName[] = ['video', 'audio', 'image', 'doc'];

interface ThumbnailProps {
  siteId: string | null;
  row: Pick<MediaRow, 'id' | 'type' | 'modifiedOn'>;
  /** Pixels. */
  iconSize?: number;
  /**
   * The collection of the item: sound without a thumbnail shows the picture of its collection, or its waveform. null: it shows the
   * icon of its type.
   */
  collectionId?: string | null;
}

/** The thumbnail of an item; the icon of its type until the thumbnail is loaded, and for an item without one. */
export function Thumbnail({ siteId, row, iconSize = 30, collectionId = null }: ThumbnailProps) {
  const changes = useThumbnails((state) => changesOf(state, 'media', row.id));
  const address = siteId === null ? null : thumbnailAddress(siteId, row, changes);
  const icon = <Glyph name={glyphOf(row.type)} size={iconSize} />;
  const isSound = siteId !== null && row.type === 'audio' && collectionId !== null;
  return (
    <LoadedImage
      address={address}
      className={styles.image}
      missing={
        isSound ? (
          <SoundPicture key={row.id} siteId={siteId} row={row} collectionId={collectionId}>
            {icon}
          </SoundPicture>
        ) : (
          icon
        )
      }
    >
      {icon}
    </LoadedImage>
  );
}

function glyphOf(type: string | null): GlyphName {
  return GLYPHS.find((name) => name === type) ?? 'file';
}
