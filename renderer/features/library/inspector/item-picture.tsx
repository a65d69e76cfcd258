import { Button } from 'react-aria-components';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import { classes } from '../../../kit/components/button.tsx';
import edges from '../../../kit/components/picture-edge.module.css';
import { TypeIcon } from '../../../kit/components/type-icon.tsx';
import tints from '../../../kit/components/type-tint.module.css';
import { ShowIcon, showLabel } from '../files/show-words.tsx';
import { Thumbnail } from '../media/thumbnail.tsx';
import { bestOf } from '../state/files/playable.ts';
import { showItem } from '../state/files/player-store.ts';
import { texts } from '../texts.ts';
import styles from './item-picture.module.css';

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
      className={classes(tints.tint, edges.edge, styles.picture)}
      data-type={item.type ?? ''}
      aria-label={showLabel(best.showing, item.title || texts.inspector.untitled)}
      onPress={() => void showItem({ siteId, mediaId: item.id })}
    >
      <Thumbnail siteId={siteId} row={{ id: item.id, type: item.type, modifiedOn: item.modified_on }} iconSize={20} />
      <span className={styles.sign}>
        <ShowIcon showing={best.showing} size={13} />
      </span>
    </Button>
  );
}
