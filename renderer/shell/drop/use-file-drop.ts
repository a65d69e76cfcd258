import { useEffect } from 'react';
import { useApp } from '../../features/common/state/app-store.ts';
import { dropTarget, useDrop } from '../../features/common/state/drop-store.ts';
import { addFiles } from '../../features/library/state/files/file-commands.ts';
import { useInspector } from '../../features/library/state/inspector-store.ts';
import { setExpanded, useTree } from '../../features/library/state/tree-store.ts';
import { addWatchedFolder } from '../../features/watched/state/watch-commands.ts';
import { carriesFiles, droppedFiles, droppedPaths } from '../../kit/bridge/files-and-clipboard.ts';
import { isSheetOpen } from '../asks.ts';
import { offerDropped } from './offer-dropped.ts';

const OPEN_AFTER_MS = 700;

type DropItem = NonNullable<ReturnType<typeof useDrop.getState>['item']>;

/** Accepts files dropped anywhere in the window. All drag events of the window are handled here. */
export function useFileDrop(): void {
  useEffect(() => {
    let opening: { id: string; timer: number } | null = null;
    const hover = (id: string | null) => {
      if (useDrop.getState().hoverId !== id) useDrop.setState({ hoverId: id });
      if (opening?.id === id) return;
      if (opening !== null) window.clearTimeout(opening.timer);
      // A pause above a collection expands it, so that the user can drop files on its children.
      opening = id === null ? null : { id, timer: window.setTimeout(() => setExpanded(id, true), OPEN_AFTER_MS) };
    };
    const end = () => {
      hover(null);
      useDrop.setState({ isOver: false, item: null });
    };
    const onOver = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      // Only one sheet can be open: the user has to finish the open one first.
      const isOpen = isSheetOpen();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = isOpen ? 'none' : 'copy';
      if (isOpen) return;
      if (!useDrop.getState().isOver) useDrop.setState({ isOver: true });
      const line = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-collection-id]') : null;
      hover(line?.dataset.collectionId ?? null);
      hoverItem(itemUnder(event.target));
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) end();
    };
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer) || event.dataTransfer === null) return;
      event.preventDefault();
      const { hoverId, item } = useDrop.getState();
      const target = dropTarget(hoverId, useTree.getState().selectedId);
      const isOpen = isSheetOpen();
      end();
      const { siteId, view } = useApp.getState();
      if (siteId === null || isOpen) return;
      const paths = droppedPaths(event.dataTransfer);
      const [first] = paths;
      if (first === undefined) return;
      if (item !== null) {
        void addFiles(item, paths);
        return;
      }
      // A collection in the sidebar accepts uploads in every view.
      if (view === 'watched' && hoverId === null) addWatchedFolder(first);
      else void offerDropped(siteId, target, droppedFiles(event.dataTransfer));
    };
    window.addEventListener('dragenter', onOver);
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      hover(null);
      window.removeEventListener('dragenter', onOver);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
}

/** Returns the item whose files are shown under the pointer; null: the pointer is elsewhere. */
function itemUnder(target: EventTarget | null): DropItem | null {
  const { detail, siteId } = useInspector.getState();
  if (!(target instanceof Element) || target.closest('[data-item-files]') === null) return null;
  return detail === null || siteId === null ? null : { siteId, mediaId: detail.item.id, title: detail.item.title };
}

function hoverItem(item: DropItem | null): void {
  if (useDrop.getState().item?.mediaId !== item?.mediaId) useDrop.setState({ item });
}
