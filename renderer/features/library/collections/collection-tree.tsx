import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { isMac } from '../../../kit/bridge/bridge.ts';
import { DragLabel } from '../../../kit/components/overlay/drag-label.tsx';
import { openCollection } from '../../common/commands/commands.ts';
import { useApp } from '../../common/state/app-store.ts';
import { markRange, toggleMark } from '../state/collections/collection-selection.ts';
import { useCollections } from '../state/collections/collections-store.ts';
import { linesOf, TOP, type TreeLine } from '../state/tree-model.ts';
import { useTree } from '../state/tree-store.ts';
import { texts } from '../texts.ts';
import { CollectionLine, FailedLine, LoadingLine } from './collection-lines.tsx';
import { CollectionMenu } from './collection-menu.tsx';
import styles from './collection-tree.module.css';
import { texts as collectionsTexts } from './texts.ts';
import { useTreeDrag } from './use-tree-drag.ts';
import { openMenu, useTreeKeys } from './use-tree-keys.ts';

const LINE_HEIGHT = 28;

/** The collections of the library as a tree of any size, for keyboard and mouse. */
export function CollectionTree() {
  const rows = useTree((state) => state.rows);
  const branches = useTree((state) => state.branches);
  const expanded = useTree((state) => state.expanded);
  const found = useTree((state) => state.found);
  const isSearchFailed = useTree((state) => state.findError !== null);
  const selectedId = useTree((state) => state.selectedId);
  const focusKey = useTree((state) => state.focusKey);
  const marks = useTree((state) => state.marks);
  const isLibrary = useApp((state) => state.view === 'library');
  const scroller = useRef<HTMLDivElement>(null);
  const treeId = useId();

  const lines = useMemo((): TreeLine[] => {
    if (found === null) return linesOf({ rows, branches, expanded });
    return found.map(({ collection }, index) => ({
      kind: 'collection',
      key: collection.id,
      row: collection,
      level: 1,
      isExpanded: false,
      isBranch: false,
      position: index + 1,
      setSize: found.length,
    }));
  }, [rows, branches, expanded, found]);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 3,
    useFlushSync: false,
  });

  const current = focusKey ?? selectedId ?? lines[0]?.key ?? null;
  const currentIndex = lines.findIndex((line) => line.key === current);
  useEffect(() => {
    if (focusKey !== null && currentIndex >= 0) virtualizer.scrollToIndex(currentIndex);
  }, [focusKey, currentIndex, virtualizer]);

  const [byPointer, setByPointer] = useState(false);
  const currentElement = () => document.getElementById(`${treeId}-${currentIndex}`);
  const onTreeKey = useTreeKeys({
    lines,
    current,
    pageSize: () => Math.floor((scroller.current?.clientHeight ?? LINE_HEIGHT) / LINE_HEIGHT),
    currentElement,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    setByPointer(false);
    onTreeKey(event);
  };
  const beginDrag = useTreeDrag(scroller);
  /** The open collection counts as selected when a selection begins; the top can't be moved or deleted. */
  const openLine = () => (selectedId === null || (rows.get(selectedId)?.parentId ?? null) === null ? null : selectedId);
  const onLineClick = (event: MouseEvent, id: string) => {
    const { marks } = useTree.getState();
    const isToggle = isMac() ? event.metaKey : event.ctrlKey;
    if (event.shiftKey) useTree.setState({ focusKey: id, marks: markRange(lines, marks, current, id) });
    else if (isToggle) useTree.setState({ focusKey: id, marks: toggleMark(marks, id, openLine()) });
    else openCollection(id);
  };
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault();
    const line = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-collection-id]') : null;
    const id = line?.dataset.collectionId;
    if (id === undefined) {
      // The menu key of the keyboard is reported at the tree itself.
      const at = lines[currentIndex];
      if (at?.kind === 'collection' && event.button !== 2) openMenu(at.row.id, currentElement());
      return;
    }
    useTree.setState({ focusKey: id });
    useCollections.setState({ menu: { collectionId: id, x: event.clientX, y: event.clientY } });
  };

  const items = virtualizer.getVirtualItems();
  const isShown = items.some((item) => item.index === currentIndex);
  return (
    <>
      <div
        ref={scroller}
        role="tree"
        aria-label={texts.tree.label}
        aria-busy={branches.get(TOP)?.kind === 'loading'}
        tabIndex={0}
        className={styles.tree}
        onKeyDown={onKeyDown}
        onMouseDown={() => setByPointer(true)}
        onContextMenu={onContextMenu}
        aria-multiselectable
        {...(byPointer ? { 'data-pointer': '' } : {})}
        {...(isShown ? { 'aria-activedescendant': `${treeId}-${currentIndex}` } : {})}
      >
        {found?.length === 0 && !isSearchFailed ? <p className={styles.note}>{texts.tree.nothingFound}</p> : null}
        {found === null && branches.get(TOP)?.kind === 'ready' && lines.length === 0 ? (
          <p className={styles.note}>{texts.tree.noAccess}</p>
        ) : null}
        <div className={styles.sizer} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => {
            const line = lines[item.index];
            if (line === undefined) return null;
            const place = { id: `${treeId}-${item.index}`, top: item.start, isFocus: line.key === current };
            if (line.kind === 'loading') return <LoadingLine key={item.key} {...place} level={line.level} />;
            if (line.kind === 'error') return <FailedLine key={item.key} {...place} line={line} />;
            return (
              <CollectionLine
                key={item.key}
                {...place}
                line={line}
                path={found?.[item.index]?.path ?? null}
                isSelected={isLibrary && line.row.id === selectedId}
                isMarked={marks.ids.has(line.row.id)}
                onMouseDown={beginDrag}
                onClick={onLineClick}
              />
            );
          })}
        </div>
      </div>
      {/* Not inside the tree: their keys are not keys of the tree. */}
      <CollectionMenu />
      <CollectionDragLabel />
    </>
  );
}

/** A label that follows the pointer during a drag and describes the effect of a drop. */
function CollectionDragLabel() {
  const drag = useCollections((state) => state.drag);
  const rows = useTree((state) => state.rows);
  if (drag === null) return null;
  const [first = ''] = drag.ids;
  const what =
    drag.ids.length === 1
      ? collectionsTexts.drag.one(rows.get(first)?.displayName ?? '')
      : collectionsTexts.drag.several(drag.ids.length);
  const target = drag.overId === null ? undefined : rows.get(drag.overId)?.displayName;
  return (
    <DragLabel x={drag.x} y={drag.y}>
      {target === undefined ? what : collectionsTexts.drag.into(what, target)}
    </DragLabel>
  );
}
