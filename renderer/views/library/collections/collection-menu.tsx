import {
  FolderInput,
  FolderOpen,
  FolderPlus,
  History,
  Link,
  PencilLine,
  Podcast,
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { openCollection } from '../../../commands/commands.ts';
import { ContextMenu } from '../../../components/overlay/context-menu.tsx';
import type { MenuEntry, MenuGroup } from '../../../components/overlay/menu.tsx';
import { showHistory } from '../../../stores/edits/edits-store.ts';
import { copyLinks, newSubCollection } from '../../../stores/library/collections/collection-commands.ts';
import { targetsOf } from '../../../stores/library/collections/collection-selection.ts';
import {
  openCollectionDialog,
  startRename,
  useCollections,
} from '../../../stores/library/collections/collections-store.ts';
import { useTree } from '../../../stores/library/tree-store.ts';
import { texts } from './texts.ts';

const icon = (Icon: typeof Link) => <Icon size={14} aria-hidden />;

/** The context menu of the tree: for one collection, or for all that are selected. */
export function CollectionMenu() {
  const menu = useCollections((state) => state.menu);
  const row = useTree((state) => (menu === null ? undefined : state.rows.get(menu.collectionId)));
  const marks = useTree((state) => state.marks);
  if (menu === null || row === undefined) return null;
  const targets = targetsOf(marks, row.id);
  const isSingle = targets.length === 1;
  return (
    <ContextMenu
      label={isSingle ? texts.menu.label(row.displayName) : texts.menu.several(targets.length)}
      x={menu.x}
      y={menu.y}
      groups={isSingle ? groupsOfOne(row, hasLine(row.id)) : groupsOfMany(targets)}
      onClose={() => useCollections.setState({ menu: null })}
    />
  );
}

function showChanges({ id, displayName }: CollectionRow): void {
  const { siteId } = useTree.getState();
  if (siteId !== null) showHistory({ siteId, entityKind: 'collection', entityId: id, name: displayName });
}

/** A name is edited in its line, so the line has to be visible. */
function hasLine(id: string): boolean {
  const lines = document.querySelectorAll<HTMLElement>('[role="tree"] [data-collection-id]');
  return [...lines].some((line) => line.dataset.collectionId === id);
}

/** The commands for one collection. `canRename`: its line is visible. */
export function groupsOfOne(row: CollectionRow, canRename = false): MenuGroup[] {
  const { id, isPodcast } = row;
  const rename: MenuEntry = {
    ...{ id: 'rename', label: texts.menu.rename, icon: icon(TextCursorInput), detail: 'F2' },
    onAction: () => startRename(id),
  };
  const podcast: MenuEntry = {
    id: 'podcast',
    label: texts.menu.podcast,
    icon: icon(Podcast),
    onAction: () => openCollectionDialog({ kind: 'podcast', collectionId: id }),
  };
  return [
    {
      entries: [
        { id: 'open', label: texts.menu.open, icon: icon(FolderOpen), detail: '↵', onAction: () => openCollection(id) },
        { id: 'new', label: texts.menu.newSub, icon: icon(FolderPlus), onAction: () => newSubCollection(id) },
      ],
    },
    {
      entries: [
        ...(canRename ? [rename] : []),
        {
          ...{ id: 'edit', label: texts.menu.edit, icon: icon(PencilLine) },
          onAction: () => openCollectionDialog({ kind: 'edit', collectionId: id }),
        },
        ...(isPodcast ? [podcast] : []),
        { id: 'link', label: texts.menu.copyLink, icon: icon(Link), onAction: () => void copyLinks([id]) },
        { id: 'history', label: texts.menu.history, icon: icon(History), onAction: () => showChanges(row) },
      ],
    },
    ...groupsOfTargets([id], row.parentId === null),
  ];
}

function groupsOfMany(ids: readonly string[]): MenuGroup[] {
  const link = { id: 'link', label: texts.menu.copyLinks, icon: icon(Link), onAction: () => void copyLinks(ids) };
  return [{ entries: [link] }, ...groupsOfTargets(ids, false)];
}

/** Move and delete: a top collection can be neither. */
function groupsOfTargets(collectionIds: readonly string[], isTop: boolean): MenuGroup[] {
  if (isTop) return [];
  return [
    {
      entries: [
        {
          ...{ id: 'move', label: texts.menu.move, icon: icon(FolderInput) },
          onAction: () => openCollectionDialog({ kind: 'move', collectionIds }),
        },
        {
          ...{ id: 'delete', label: texts.menu.remove, icon: icon(Trash2), detail: 'Del', isDanger: true },
          onAction: () => openCollectionDialog({ kind: 'delete', collectionIds }),
        },
      ],
    },
  ];
}
