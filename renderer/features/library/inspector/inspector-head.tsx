import { ChevronDown, ChevronUp } from 'lucide-react';
import { Button } from 'react-aria-components';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import { modKey } from '../../../kit/bridge/bridge.ts';
import { classes, IconButton } from '../../../kit/components/button.tsx';
import tints from '../../../kit/components/type-icon.module.css';
import { TypeIcon } from '../../../kit/components/type-icon.tsx';
import { chordText } from '../../common/commands/chords.ts';
import { ShowIcon, showLabel } from '../files/file-words.tsx';
import { Thumbnail } from '../media/thumbnail.tsx';
import { bestOf } from '../state/files/playable.ts';
import { showItem } from '../state/files/show-item.ts';
import { useInspector } from '../state/inspector-store.ts';
import { mediaList } from '../state/media-store.ts';
import { placeInList, stepShownItem } from '../state/step-item.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';
import itemPictureStyles from './item-picture.module.css';

/**
 * Shows the previous or the next item of the list. The buttons stay in the document while the item changes, and keep the focus.
 */
export function ItemNav() {
  useInspector((state) => state.mediaId);
  mediaList.useList((state) => state.version);
  mediaList.useList((state) => state.selection);
  const place = placeInList();
  if (place === null) return null;
  const { index, total } = place;
  return (
    <div className={styles.nav} role="toolbar" aria-label={texts.item.nav.label}>
      <span className={styles.small}>{texts.item.nav.place(index, total)}</span>
      <IconButton
        small
        label={texts.item.nav.previous}
        keys={chordText('alt+arrowup', modKey())}
        isDisabled={index === 0}
        onPress={() => void stepShownItem(-1)}
      >
        <ChevronUp size={15} />
      </IconButton>
      <IconButton
        small
        label={texts.item.nav.next}
        keys={chordText('alt+arrowdown', modKey())}
        isDisabled={index === total - 1}
        onPress={() => void stepShownItem(1)}
      >
        <ChevronDown size={15} />
      </IconButton>
    </div>
  );
}

interface ItemPictureProps {
  siteId: string | null;
  detail: MediaDetail;
}

/** The picture of the item, which plays or shows its best file; the icon of its type when there is no such file. */
export function ItemPicture({ siteId, detail: { item, files } }: ItemPictureProps) {
  const best = bestOf(files);
  if (best === null || siteId === null) return <TypeIcon type={item.type} />;
  return (
    <Button
      className={classes(tints.tint, tints.edge, itemPictureStyles.picture)}
      data-type={item.type ?? ''}
      aria-label={showLabel(best.showing, item.title || texts.inspector.untitled)}
      onPress={() => void showItem({ siteId, mediaId: item.id })}
    >
      <Thumbnail
        siteId={siteId}
        row={{ id: item.id, type: item.type, modifiedOn: item.modified_on }}
        iconSize={20}
        collectionId={item.collection_id}
      />
      <span className={itemPictureStyles.sign}>
        <ShowIcon showing={best.showing} size={13} />
      </span>
    </Button>
  );
}
