import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { thumbnailPath } from '../../../../../shared/contract/thumbnail-address.ts';
import type { SimilarItem } from '../../../../../shared/contract/title-calls.ts';
import { Button } from '../../../../kit/components/button.tsx';
import { Checkbox } from '../../../../kit/components/forms/choice.tsx';
import { Glyph } from '../../../../kit/components/glyph.tsx';
import { Dialog, FooterSpace } from '../../../../kit/components/overlay/dialog.tsx';
import { formatDateTime, formatDuration } from '../../../../kit/text/format.ts';
import { openItemPage } from '../../../common/commands/commands.ts';
import { LoadedImage } from '../../../common/loaded-image.tsx';
import { filesOf, useAdd } from '../../state/add-store.ts';
import { leaveOut, leftOutOf, type SimilarTo, useTitleChecks } from '../../state/title-checks.ts';
import { texts } from '../texts.ts';
import styles from './similar.module.css';

/** Each row requests a picture, so only some are rendered. */
const SHOWN_AT_ONCE = 100;

/** Lists the files whose items may exist already, each with the found item. The user leaves some of them out. */
export function SimilarDialog({ onClose }: { onClose: () => void }) {
  // A file that is left out is not compared any more; it stays in the open dialog.
  const [similar] = useState(() => [...useTitleChecks.getState().similar]);
  const table = useAdd((state) => state.table);
  const siteId = useAdd((state) => state.siteId) ?? '';
  const preview = useAdd((state) => state.preview);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const names = new Map(filesOf(preview).map(({ path, fileName }) => [path, fileName]));
  const paths = new Set(similar.map(([path]) => path));
  const out = leftOutOf(table, paths);
  return (
    <Dialog
      title={texts.titles.title}
      width={720}
      isOpen
      onClose={onClose}
      footer={
        <>
          <span role="status" className={styles.sum}>
            {texts.titles.leftOut(out.size, similar.length)}
          </span>
          <FooterSpace />
          <Button isDisabled={out.size === similar.length} onPress={() => leaveOut(paths, true)}>
            {texts.titles.leaveAllOut}
          </Button>
          <Button variant="primary" onPress={onClose} autoFocus>
            {texts.titles.done}
          </Button>
        </>
      }
    >
      <p className={styles.lead}>{texts.titles.lead}</p>
      <ul className={styles.files} aria-label={texts.titles.list}>
        {similar.slice(0, shown).map(([path, found]) => (
          <SimilarRow
            key={path}
            siteId={siteId}
            found={found}
            fileName={names.get(path) ?? path}
            isAdded={!out.has(path)}
            onAdd={(isAdded) => leaveOut(new Set([path]), !isAdded)}
          />
        ))}
      </ul>
      {similar.length > shown ? (
        <Button onPress={() => setShown(shown + SHOWN_AT_ONCE)}>{texts.titles.more(similar.length - shown)}</Button>
      ) : null}
    </Dialog>
  );
}

interface SimilarRowProps {
  siteId: string;
  fileName: string;
  found: SimilarTo;
  isAdded: boolean;
  onAdd: (isAdded: boolean) => void;
}

function SimilarRow({ siteId, fileName, found: { item, isEqual }, isAdded, onAdd }: SimilarRowProps) {
  return (
    <li className={styles.file}>
      <div className={styles.picture}>
        <Picture siteId={siteId} item={item} />
      </div>
      <div className={styles.item}>
        <span className={styles.title}>{item.title}</span>
        <span className={styles.facts}>{factsOf(item, isEqual)}</span>
        <Checkbox isSelected={isAdded} onChange={onAdd}>
          {texts.titles.add(fileName)}
        </Checkbox>
      </div>
      <Button
        variant="quiet"
        icon={<ExternalLink size={14} aria-hidden />}
        onPress={() => void openItemPage({ siteId, mediaId: item.id })}
      >
        {texts.titles.open}
      </Button>
    </li>
  );
}

function Picture({ siteId, item }: { siteId: string; item: SimilarItem }) {
  const ref = { siteId, subject: 'media', id: item.id, version: item.modifiedOn ?? '', isStoredOnly: false } as const;
  return (
    <LoadedImage address={thumbnailPath(ref)} className={styles.image}>
      <Glyph
        name={item.type === 'audio' || item.type === 'video' || item.type === 'image' ? item.type : 'file'}
        size={20}
      />
    </LoadedImage>
  );
}

function factsOf({ collectionName, durationSeconds, createdOn }: SimilarItem, isEqual: boolean): string {
  return [
    isEqual ? texts.titles.equal : texts.titles.close,
    ...(collectionName === null ? [] : [collectionName]),
    ...(durationSeconds ? [formatDuration(durationSeconds)] : []),
    ...(createdOn === null ? [] : [texts.titles.added(formatDateTime(createdOn))]),
  ].join(' · ');
}
