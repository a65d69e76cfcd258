import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { openCollection } from '../../../commands/commands.ts';
import { useApp } from '../../../stores/app/app-store.ts';
import { findByPrefix, linesOf, TOP, type TreeLine, treeKey } from '../../../stores/library/tree-model.ts';
import { loadBranch, setExpanded, useTree } from '../../../stores/library/tree-store.ts';
import { texts } from '../texts.ts';
import { CollectionLine, FailedLine, LoadingLine } from './collection-lines.tsx';
import styles from './collection-tree.module.css';

const LINE_HEIGHT = 28;
const TYPING_MS = 700;

/** The collections of the library as a tree of any size, for keyboard and mouse. */
export function CollectionTree() {
  const rows = useTree((state) => state.rows);
  const branches = useTree((state) => state.branches);
  const expanded = useTree((state) => state.expanded);
  const found = useTree((state) => state.found);
  const isSearchFailed = useTree((state) => state.findError !== null);
  const selectedId = useTree((state) => state.selectedId);
  const focusKey = useTree((state) => state.focusKey);
  const isLibrary = useApp((state) => state.view === 'library');
  const scroller = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
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
    overscan: 10,
    useFlushSync: false,
  });

  const current = focusKey ?? selectedId ?? lines[0]?.key ?? null;
  const currentIndex = lines.findIndex((line) => line.key === current);
  useEffect(() => {
    if (focusKey !== null && currentIndex >= 0) virtualizer.scrollToIndex(currentIndex);
  }, [focusKey, currentIndex, virtualizer]);

  const focus = (key: string | null) => useTree.setState({ focusKey: key });
  const activate = (line: TreeLine | undefined) => {
    if (line?.kind === 'collection') openCollection(line.row.id);
    if (line?.kind === 'error') void loadBranch(line.parentId);
  };
  const [byPointer, setByPointer] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    setByPointer(false);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = treeKey(lines, current, event.key);
    if (move !== null) {
      event.preventDefault();
      if (move.kind === 'focus') focus(move.key);
      else setExpanded(move.id, move.kind === 'expand');
    } else if (event.key === 'Enter' || (event.key === ' ' && typed.current.text === '')) {
      event.preventDefault();
      activate(lines[currentIndex]);
    } else if (event.key.length === 1 && event.key !== '/' && event.key !== '?') {
      const now = performance.now();
      const text = now - typed.current.at < TYPING_MS ? typed.current.text + event.key : event.key;
      typed.current = { text, at: now };
      const key = findByPrefix(lines, current, text);
      if (key !== null) focus(key);
    }
  };

  const items = virtualizer.getVirtualItems();
  const isShown = items.some((item) => item.index === currentIndex);
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={texts.tree.label}
      aria-busy={branches.get(TOP)?.kind === 'loading'}
      tabIndex={0}
      className={styles.tree}
      onKeyDown={onKeyDown}
      onMouseDown={() => setByPointer(true)}
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
            />
          );
        })}
      </div>
    </div>
  );
}
