import type { ReactNode } from 'react';
import { isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import { LoadedImage } from '../../common/loaded-image.tsx';
import { useApp } from '../../common/state/app-store.ts';
import { changesOf, collectionThumbnailAddress, noteStoredThumbnail, useThumbnails } from '../state/thumbnails.ts';

interface CollectionPictureProps {
  id: string;
  className: string | undefined;
  /** Only a thumbnail that is stored on this computer is shown: the tree has too many lines for a request each. */
  isStoredOnly?: boolean;
  /** Shown in front of a thumbnail. */
  front?: ReactNode;
  /** Shown instead of a thumbnail. */
  children: ReactNode;
}

/** The thumbnail of a collection; `children` until it is loaded, and for a collection without a thumbnail. */
export function CollectionPicture({ id, className, isStoredOnly = false, front, children }: CollectionPictureProps) {
  const siteId = useApp((state) => state.siteId);
  const changes = useThumbnails((state) => changesOf(state, 'collections', id));
  const storedAt = useThumbnails((state) => (isStoredOnly ? state.stored.get(id) : undefined));
  const hasAddress = siteId !== null && !isLocalId(id);
  const address = hasAddress ? collectionThumbnailAddress(siteId, id, { changes, isStoredOnly }) : null;
  return (
    // Another key requests a thumbnail again that was not stored before.
    <LoadedImage
      key={storedAt ?? 'not stored'}
      address={address}
      className={className}
      front={front}
      onShown={() => {
        if (!isStoredOnly) noteStoredThumbnail(id);
      }}
    >
      {children}
    </LoadedImage>
  );
}
