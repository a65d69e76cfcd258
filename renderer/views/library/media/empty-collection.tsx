import { FolderOpen, FolderTree, Upload } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { untilCancelled } from '../../../async/latest-only.ts';
import { call } from '../../../bridge/bridge.ts';
import { openCollection, pick } from '../../../commands/commands.ts';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/status/empty-state.tsx';
import { showError } from '../../../stores/app/messages-store.ts';
import { setExpanded, useTree } from '../../../stores/library/tree-store.ts';
import { texts } from '../texts.ts';
import { collectionsWithMedia, emptyCollectionWords } from './empty-collection-text.ts';

interface EmptyCollectionProps {
  siteId: string;
  /** null: all media of the library. */
  collectionId: string | null;
  name: string | null;
}

const MAX_BUTTONS = 6;

/** A collection without items of its own: links to collections below it that have some, and ways to add files. */
export function EmptyCollection({ siteId, collectionId, name }: EmptyCollectionProps) {
  const row = useTree((state) => (collectionId === null ? undefined : state.rows.get(collectionId)));
  const hasChildren = row !== undefined && row.childCount > 0;
  const below = collectionsWithMedia(useChildren(siteId, hasChildren ? collectionId : null));
  const words = emptyCollectionWords(name, row ?? null);
  return (
    <EmptyState icon={hasChildren ? FolderTree : FolderOpen} title={words.title} text={words.text}>
      {below.slice(0, MAX_BUTTONS).map(({ id, displayName, count }) => (
        <Button key={id} onPress={() => openCollection(id)}>
          {texts.empty.open(displayName, count)}
        </Button>
      ))}
      {below.length > MAX_BUTTONS && collectionId !== null ? (
        <Button onPress={() => setExpanded(collectionId, true)}>{texts.empty.showAll(below.length)}</Button>
      ) : null}
      <Button variant="primary" icon={<Upload size={14} aria-hidden />} onPress={() => void pick('files')}>
        {texts.empty.addFiles}
      </Button>
      <Button onPress={() => void pick('folder')}>{texts.empty.addFolder}</Button>
    </EmptyState>
  );
}

/** Loads the collections directly below one; none for null. */
function useChildren(siteId: string, collectionId: string | null): readonly CollectionRow[] {
  const [children, setChildren] = useState<readonly CollectionRow[]>([]);
  useEffect(() => {
    setChildren([]);
    if (collectionId === null) return;
    return untilCancelled(call('library.collections', { siteId, parentId: collectionId }), setChildren, showError);
  }, [siteId, collectionId]);
  return children;
}
