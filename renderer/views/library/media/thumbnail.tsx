import { useEffect, useState } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { Glyph, type GlyphName } from '../../../components/glyph.tsx';
import { thumbnailAddress, useThumbnailChanges } from '../../../stores/library/thumbnails.ts';
import styles from './media-tile.module.css';

/** A tile that is scrolled past sooner requests nothing. */
const SETTLE_MS = 90;
const GLYPHS: readonly GlyphName[] = ['video', 'audio', 'image', 'doc'];

interface ThumbnailProps {
  siteId: string | null;
  row: MediaRow;
}

/** The thumbnail of an item; the icon of its type until it is there, and for an item that has none. */
export function Thumbnail({ siteId, row }: ThumbnailProps) {
  const changes = useThumbnailChanges((state) => state.counts.get(row.id) ?? 0);
  const address = siteId === null ? null : thumbnailAddress(siteId, row, changes);
  const isSettled = useSettled();
  const [shown, setShown] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const isRequested = address !== null && isSettled && failed !== address;
  return (
    <>
      {shown === address && isRequested ? null : <Glyph name={glyphOf(row.type)} size={30} />}
      {isRequested ? (
        <img
          key={address}
          className={styles.image}
          src={address}
          alt=""
          decoding="async"
          draggable={false}
          style={{ visibility: shown === address ? 'visible' : 'hidden' }}
          onLoad={() => setShown(address)}
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

function glyphOf(type: string | null): GlyphName {
  return GLYPHS.find((name) => name === type) ?? 'file';
}
