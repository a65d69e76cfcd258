import { type ReactNode, useEffect, useState } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { Glyph, type GlyphName } from '../../../kit/components/glyph.tsx';
import { changesOf, thumbnailAddress, useThumbnails } from '../state/thumbnails.ts';
import styles from './media-tile.module.css';

const GLYPHS: readonly GlyphName[] = ['video', 'audio', 'image', 'doc'];

interface ThumbnailProps {
  siteId: string | null;
  row: Pick<MediaRow, 'id' | 'type' | 'modifiedOn'>;
  /** Pixels. */
  iconSize?: number;
}

/** The thumbnail of an item; the icon of its type until the thumbnail is loaded, and for an item without one. */
export function Thumbnail({ siteId, row, iconSize = 30 }: ThumbnailProps) {
  const changes = useThumbnails((state) => changesOf(state, 'media', row.id));
  const address = siteId === null ? null : thumbnailAddress(siteId, row, changes);
  return (
    <LoadedImage address={address} className={styles.image}>
      <Glyph name={glyphOf(row.type)} size={iconSize} />
    </LoadedImage>
  );
}

function glyphOf(type: string | null): GlyphName {
  return GLYPHS.find((name) => name === type) ?? 'file';
}

/** A picture that leaves the view within this time is not requested. */
const SETTLE_MS = 90;

interface LoadedImageProps {
  /** The address; null: there is no picture to load. */
  address: string | null;
  className: string | undefined;
  onShown?: () => void;
  /** Shown until the picture is loaded, and when there is none. */
  children: ReactNode;
}

/** A decorative picture. An address that can't be loaded is not requested again. */
export function LoadedImage({ address, className, onShown, children }: LoadedImageProps) {
  const isSettled = useSettled();
  const [shown, setShown] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const isRequested = address !== null && isSettled && failed !== address;
  return (
    <>
      {shown === address && isRequested ? null : children}
      {isRequested ? (
        <img
          key={address}
          className={className}
          src={address}
          alt=""
          decoding="async"
          draggable={false}
          data-shown={shown === address}
          onLoad={() => {
            setShown(address);
            onShown?.();
          }}
          onError={() => setFailed(address)}
        />
      ) : null}
    </>
  );
}

function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(true), SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return isSettled;
}
