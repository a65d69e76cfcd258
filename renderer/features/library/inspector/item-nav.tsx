import { ChevronDown, ChevronUp } from 'lucide-react';
import { modKey } from '../../../kit/bridge/bridge.ts';
import { IconButton } from '../../../kit/components/button.tsx';
import { chordText } from '../../common/commands/chords.ts';
import { useInspector } from '../state/inspector-store.ts';
import { mediaList } from '../state/media-store.ts';
import { placeInList, stepItem } from '../state/step-item.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';

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
        onPress={() => void stepItem(-1)}
      >
        <ChevronUp size={15} />
      </IconButton>
      <IconButton
        small
        label={texts.item.nav.next}
        keys={chordText('alt+arrowdown', modKey())}
        isDisabled={index === total - 1}
        onPress={() => void stepItem(1)}
      >
        <ChevronDown size={15} />
      </IconButton>
    </div>
  );
}
