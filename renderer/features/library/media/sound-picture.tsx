import { type ReactNode, useEffect } from 'react';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import { WaveformCanvas } from '../../../kit/waveform/waveform-canvas.tsx';
import { CollectionPicture } from '../collections/collection-picture.tsx';
import { wantWaveform } from '../state/waveforms/background-waveforms.ts';
import { knownWaveform, useWaveforms } from '../state/waveforms/waveform-store.ts';
import tileStyles from './media-tile.module.css';
import styles from './sound-picture.module.css';

interface SoundPictureProps {
  siteId: string;
  row: Pick<MediaRow, 'id' | 'modifiedOn'>;
  collectionId: string;
  /** Shown while there is nothing else. */
  children: ReactNode;
}

/**
 * The picture of sound without a thumbnail: that of its collection, with the waveform in front of its lower edge; without one the
 * waveform alone. So the pictures of a collection differ.
 */
export function SoundPicture({ siteId, row, collectionId, children }: SoundPictureProps) {
  const known = useWaveforms((state) => knownWaveform({ siteId, mediaId: row.id }, state));
  const { id: mediaId, modifiedOn } = row;
  useEffect(() => wantWaveform({ siteId, mediaId }, modifiedOn ?? ''), [siteId, mediaId, modifiedOn]);
  const waveform = known?.result.kind === 'peaks' && !known.isReading ? known.result : null;
  return (
    <CollectionPicture
      id={collectionId}
      className={tileStyles.image}
      front={waveform === null ? null : <WaveformCanvas waveform={waveform} className={styles.before} />}
    >
      {waveform === null ? children : <WaveformCanvas waveform={waveform} className={styles.alone} />}
    </CollectionPicture>
  );
}
