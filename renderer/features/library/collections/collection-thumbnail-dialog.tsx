import { artworkProblems } from '../../../../shared/model/podcast-artwork.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { texts as sharedTexts } from '../../common/texts.ts';
import { texts } from '../files/texts.ts';
import { ThumbnailDialog } from '../files/thumbnail-dialog.tsx';
import { openFileDialog, useFileDialog } from '../state/files/file-commands.ts';
import { COLLECTION_SIZE } from '../state/files/picture.ts';

/** Sets the thumbnail of a collection. Any view can open it, because the tree with its menu is beside all of them. */
export function CollectionThumbnailDialog() {
  const open = useFileDialog((state) => state.open);
  if (open?.kind !== 'collection-thumbnail') return null;
  return (
    <ThumbnailDialog
      title={texts.thumbnail.collectionTitle(open.name)}
      formats={texts.thumbnail.collectionFormats}
      note={texts.thumbnail.collectionNote}
      maxSize={COLLECTION_SIZE}
      judge={open.isPodcast ? artworkWords : undefined}
      frame={null}
      onSet={(picture) => call('files.setCollectionThumbnail', { ...open.collection, picture })}
      onClose={() => openFileDialog(null)}
    />
  );
}

/** Returns why podcast directories refuse a picture of this size, and what to do; null when they accept it. */
function artworkWords(size: { width: number; height: number }): string | null {
  const problems = artworkProblems(size).map((problem) => sharedTexts.artworkProblems[problem]);
  return problems.length === 0 ? null : texts.thumbnail.refusedArtwork(problems);
}
