import { Eye, Play } from 'lucide-react';
import { Button } from 'react-aria-components';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import { classes } from '../../../components/button.tsx';
import { TypeIcon } from '../../../components/type-icon.tsx';
import tints from '../../../components/type-tint.module.css';
import { bestOf } from '../../../stores/library/files/playable.ts';
import { showItem } from '../../../stores/library/files/player-store.ts';
import { texts as fileTexts } from '../files/texts.ts';
import { Thumbnail } from '../media/thumbnail.tsx';
import { texts } from '../texts.ts';
import styles from './item-picture.module.css';

interface ItemPictureProps {
  siteId: string | null;
  detail: MediaDetail;
}

/** The picture of the item, which plays or shows its best file; the icon of its type while there is none to show. */
export function ItemPicture({ siteId, detail: { item, files } }: ItemPictureProps) {
  const best = bestOf(files);
  if (best === null || siteId === null) return <TypeIcon type={item.type} />;
  const title = item.title || texts.inspector.untitled;
  const doesPlay = best.showing === 'video' || best.showing === 'audio';
  const Sign = doesPlay ? Play : Eye;
  return (
    <Button
      className={classes(tints.tint, styles.picture)}
      data-type={item.type ?? ''}
      aria-label={doesPlay ? fileTexts.playFile(title) : fileTexts.showFile(title)}
      onPress={() => void showItem({ siteId, mediaId: item.id })}
    >
      <Thumbnail siteId={siteId} row={{ id: item.id, type: item.type, modifiedOn: item.modified_on }} iconSize={20} />
      <span className={styles.sign}>
        <Sign size={13} aria-hidden />
      </span>
    </Button>
  );
}
