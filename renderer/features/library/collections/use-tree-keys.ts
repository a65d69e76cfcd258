import { type KeyboardEvent, useRef } from 'react';
import { isMac } from '../../../kit/bridge/bridge.ts';
import { openCollection } from '../../common/commands/commands.ts';
import { announce } from '../../common/state/messages-store.ts';
import { markRange, NO_MARKS, targetsOf, toggleMark } from '../state/collections/collection-selection.ts';
import { openCollectionDialog, startCollectionRename, useCollections } from '../state/collections/collections-store.ts';
import { findByPrefix, pageMove, siblingsToExpand, type TreeLine, treeKey } from '../state/tree-model.ts';
import { loadBranch, setExpanded, useTree } from '../state/tree-store.ts';
import { texts } from './texts.ts';

const TYPING_MS = 700;

interface TreeKeysOptions {
  lines: readonly TreeLine[];
  /** The key of the current line. */
  current: string | null;
  /** How many lines are visible. */
  pageSize: () => number;
  /** Returns the element of the current line; null when it is not in the document. */
  currentElement: () => HTMLElement | null;
}

/** Returns the handler for the keys of the tree. Keys without a function in the tree are left to the window. */
export function useTreeKeys(options: TreeKeysOptions): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 });

  const onTyping = (event: KeyboardEvent) => {
    const now = performance.now();
    const text = now - typed.current.at < TYPING_MS ? typed.current.text + event.key : event.key;
    typed.current = { text, at: now };
    const key = findByPrefix(options.lines, options.current, text);
    if (key !== null) focusLine(key);
  };

  return (event) => {
    if (event.altKey) return;
    const mod = isMac() ? event.metaKey : event.ctrlKey;
    const isTypingSpace = event.key === ' ' && performance.now() - typed.current.at < TYPING_MS;
    const run = mod ? modCommand(event, options) : isTypingSpace ? null : plainCommand(event, options);
    if (run !== null) {
      event.preventDefault();
      run();
    } else if (!mod && event.key.length === 1 && event.key !== '/' && event.key !== '?') onTyping(event);
  };
}

type Run = (() => void) | null;

/** Ctrl (on a Mac: Command) with a key: selects without opening. */
function modCommand(event: KeyboardEvent, { lines, current }: TreeKeysOptions): Run {
  const line = lines.find(({ key }) => key === current);
  if (event.key === ' ' && line?.kind === 'collection') {
    return () => useTree.setState(({ marks }) => ({ marks: toggleMark(marks, line.row.id, null) }));
  }
  const [first] = lines;
  if (event.key.toLowerCase() === 'a' && !event.shiftKey && first !== undefined) {
    const last = lines.at(-1)?.key ?? first.key;
    return () => useTree.setState({ marks: markRange(lines, { ...NO_MARKS, anchor: first.key }, null, last) });
  }
  return null;
}

function plainCommand(event: KeyboardEvent, options: TreeKeysOptions): Run {
  const { lines, current, pageSize, currentElement } = options;
  const move = treeKey(lines, current, event.key) ?? pageMove(lines, current, event.key, pageSize());
  if (move?.kind === 'focus') return () => (event.shiftKey ? extendTo(options, move.key) : focusLine(move.key));
  if (move !== null) return () => setExpanded(move.id, move.kind === 'expand');
  const line = lines.find(({ key }) => key === current);
  if (event.key === 'Escape') {
    const hasMarks = useTree.getState().marks.ids.size > 0;
    return hasMarks ? () => useTree.setState({ marks: NO_MARKS }) : null;
  }
  if (line?.kind === 'error') return isActivation(event) ? () => void loadBranch(line.parentId) : null;
  if (line?.kind !== 'collection') return null;
  return lineCommand(event, line, lines, currentElement);
}

const isActivation = (event: KeyboardEvent) => event.key === 'Enter' || event.key === ' ';

function lineCommand(
  event: KeyboardEvent,
  line: Extract<TreeLine, { kind: 'collection' }>,
  lines: readonly TreeLine[],
  currentElement: () => HTMLElement | null,
): Run {
  const { row } = line;
  const isTop = row.parentId === null;
  if (isActivation(event)) return () => openCollection(row.id);
  switch (event.key) {
    case 'F2':
      return () => startCollectionRename(row.id);
    case 'Delete':
      return isTop
        ? null
        : () => {
            const collectionIds = targetsOf(useTree.getState().marks, row.id);
            openCollectionDialog({ kind: 'delete', collectionIds });
          };
    case '*':
      return () => expandSiblings(lines, line.key);
    case 'ContextMenu':
      return () => openMenu(row.id, currentElement());
    case 'F10':
      return event.shiftKey ? () => openMenu(row.id, currentElement()) : null;
    default:
      return null;
  }
}

/** Opens the context menu at a line. */
export function openMenu(collectionId: string, element: HTMLElement | null): void {
  if (element === null) return;
  const { left, bottom } = element.getBoundingClientRect();
  useCollections.setState({ menu: { collectionId, x: left + 24, y: bottom } });
}

function focusLine(key: string): void {
  useTree.setState({ focusKey: key });
}

/** Extends the selection from its start to the new current line, for a move with Shift. */
function extendTo({ lines, current }: TreeKeysOptions, key: string): void {
  useTree.setState(({ marks }) => ({ focusKey: key, marks: markRange(lines, marks, current, key) }));
}

function expandSiblings(lines: readonly TreeLine[], key: string): void {
  const { ids, isCut } = siblingsToExpand(lines, key);
  for (const id of ids) setExpanded(id, true);
  if (isCut) announce(texts.tree.someExpanded(ids.length));
}
