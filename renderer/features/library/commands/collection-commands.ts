import {
  FolderInput,
  FolderOpen,
  FolderPlus,
  History,
  Image,
  Link,
  type LucideIcon,
  PencilLine,
  Podcast,
  TextCursorInput,
  Trash2,
  Users,
} from 'lucide-react';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { openCollection } from '../../common/commands/commands.ts';
import { texts } from '../../common/commands/texts.ts';
import { useApp } from '../../common/state/app-store.ts';
import { showHistory } from '../../edits/state/edits-store.ts';
import { copyLinks, newSubCollection } from '../state/collections/collection-commands.ts';
import { openCollectionDialog, startCollectionRename } from '../state/collections/collections-store.ts';
import { openFileDialog } from '../state/files/file-commands.ts';
import { useTree } from '../state/tree-store.ts';

/** A command for collections: for exactly one, unless `several` defines its effect on more. */
export interface CollectionCommand {
  id: string;
  label: string;
  icon: LucideIcon;
  /** The key that runs it in the tree, as menus show it. */
  keys?: string;
  isDanger?: true;
  /** Returns whether it applies to a collection; absent: to all. */
  isFor?: (row: CollectionRow) => boolean;
  run: (row: CollectionRow) => void;
  /** Its name and its effect for several collections. */
  several?: { label: string; run: (ids: readonly string[]) => void };
}

const names = texts.collection;
const move = (collectionIds: readonly string[]) => openCollectionDialog({ kind: 'move', collectionIds });
const remove = (collectionIds: readonly string[]) => openCollectionDialog({ kind: 'delete', collectionIds });
/** The API neither moves nor deletes a top collection. */
const isBelowTop = ({ parentId }: CollectionRow) => parentId !== null;

/** The commands for collections by id. Context menu, menu of the page and palette use this list. */
export const COLLECTION_COMMANDS = {
  open: { id: 'open', label: names.open, icon: FolderOpen, keys: '↵', run: ({ id }) => openCollection(id) },
  newSub: { id: 'new', label: names.newSub, icon: FolderPlus, run: ({ id }) => newSubCollection(id) },
  rename: {
    id: 'rename',
    label: names.rename,
    icon: TextCursorInput,
    keys: 'F2',
    run: ({ id }) => startCollectionRename(id),
  },
  edit: {
    id: 'edit',
    label: names.edit,
    icon: PencilLine,
    run: ({ id }) => openCollectionDialog({ kind: 'edit', collectionId: id }),
  },
  podcast: {
    id: 'podcast',
    label: names.podcast,
    icon: Podcast,
    isFor: ({ isPodcast }) => isPodcast,
    run: ({ id }) => openCollectionDialog({ kind: 'podcast', collectionId: id }),
  },
  thumbnail: { id: 'thumbnail', label: names.thumbnail, icon: Image, run: setThumbnail },
  people: {
    id: 'people',
    label: names.people,
    icon: Users,
    run: ({ id }) => openCollectionDialog({ kind: 'people', collectionId: id }),
  },
  link: {
    id: 'link',
    label: names.copyLink,
    icon: Link,
    run: ({ id }) => void copyLinks([id]),
    several: { label: names.copyLinks, run: (ids) => void copyLinks(ids) },
  },
  history: { id: 'history', label: names.history, icon: History, run: showChanges },
  move: {
    id: 'move',
    label: names.move,
    icon: FolderInput,
    isFor: isBelowTop,
    run: ({ id }) => move([id]),
    several: { label: names.move, run: move },
  },
  remove: {
    id: 'delete',
    label: names.remove,
    icon: Trash2,
    keys: 'Del',
    isDanger: true,
    isFor: isBelowTop,
    run: ({ id }) => remove([id]),
    several: { label: names.remove, run: remove },
  },
} as const satisfies Record<string, CollectionCommand>;

function setThumbnail({ id, displayName, isPodcast }: CollectionRow): void {
  const { siteId } = useTree.getState();
  if (siteId === null) return;
  const collection = { siteId, collectionId: id };
  openFileDialog({ kind: 'collection-thumbnail', collection, name: displayName, isPodcast });
}

function showChanges({ id, displayName }: CollectionRow): void {
  const { siteId } = useTree.getState();
  if (siteId !== null) showHistory({ siteId, entityKind: 'collection', entityId: id, name: displayName });
}

/** The commands that the palette does not offer: the collection is open already, and a name is edited in the tree only. */
const NOT_IN_PALETTE: ReadonlySet<string> = new Set(['open', 'rename']);

/** The commands for the open collection, for the palette; none while all items are shown. */
export function openCollectionCommands(): { id: string; label: string; run: () => void }[] {
  const { rows, selectedId } = useTree.getState();
  const row = selectedId === null ? undefined : rows.get(selectedId);
  if (row === undefined || useApp.getState().view !== 'library') return [];
  return Object.values<CollectionCommand>(COLLECTION_COMMANDS)
    .filter(({ id, isFor }) => !NOT_IN_PALETTE.has(id) && isFor?.(row) !== false)
    .map(({ id, label, run }) => ({
      id: `collection-${id}`,
      label: names.inPalette(row.displayName, label),
      run: () => run(row),
    }));
}
