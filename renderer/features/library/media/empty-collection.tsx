import { FolderOpen, FolderTree, Upload } from 'lucide-react';
import { Button } from '../../../kit/components/button.tsx';
import { EmptyState } from '../../../kit/components/status/empty-state.tsx';
import { pick } from '../../common/commands/commands.ts';
import { useRefusalToAdd } from '../../common/state/add-rights-store.ts';
import { useApp } from '../../common/state/app-store.ts';
import { changeQuery } from '../state/media-store.ts';
import { useTree } from '../state/tree-store.ts';
import { texts } from '../texts.ts';
import { emptyCollectionWords } from './empty-collection-text.ts';

interface EmptyCollectionProps {
  /** null: all media of the library. */
  collectionId: string | null;
  name: string | null;
}

/** The page of a collection without items of its own: buttons to list the items of its subcollections, and to add files. */
export function EmptyCollection({ collectionId, name }: EmptyCollectionProps) {
  const row = useTree((state) => (collectionId === null ? undefined : state.rows.get(collectionId)));
  const hasChildren = row !== undefined && row.childCount > 0;
  const words = emptyCollectionWords(name, row ?? null);
  const siteId = useApp((state) => state.siteId);
  const refusal = useRefusalToAdd(siteId, collectionId);
  const text = refusal === null || hasChildren ? words.text : refusal.message;
  return (
    <EmptyState icon={hasChildren ? FolderTree : FolderOpen} title={words.title} text={text}>
      {(row?.mediaCountBelow ?? 0) > 0 ? (
        <Button onPress={() => changeQuery({ includesBelow: true })}>{texts.empty.includeBelow}</Button>
      ) : null}
      {refusal === null ? (
        <>
          <Button variant="primary" icon={<Upload size={14} aria-hidden />} onPress={() => void pick('files')}>
            {texts.empty.addFiles}
          </Button>
          <Button onPress={() => void pick('folder')}>{texts.empty.addFolder}</Button>
        </>
      ) : null}
    </EmptyState>
  );
}
