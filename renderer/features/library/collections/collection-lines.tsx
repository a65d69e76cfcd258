import { CircleAlert } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { Button, classes } from '../../../kit/components/button.tsx';
import { Glyph } from '../../../kit/components/glyph.tsx';
import { formatCount } from '../../../kit/text/format.ts';
import markStyles from '../../common/pending-mark.module.css';
import { useDrop } from '../../common/state/drop-store.ts';
import { useCollections } from '../state/collections/collections-store.ts';
import { useBulk } from '../state/selection/bulk-store.ts';
import type { TreeLine } from '../state/tree-model.ts';
import { loadBranch, setExpanded, useTree } from '../state/tree-store.ts';
import { texts } from '../texts.ts';
import { CollectionPicture } from './collection-picture.tsx';
import styles from './collection-tree.module.css';
import { RenameField } from './rename-field.tsx';
import { texts as commandTexts } from './texts.ts';

const INDENT = 14;

interface Place {
  id: string;
  /** Pixels from the top of the tree. */
  top: number;
  isFocus: boolean;
}

const indent = (level: number) => 4 + (level - 1) * INDENT;

interface CollectionLineProps extends Place {
  line: Extract<TreeLine, { kind: 'collection' }>;
  /** Names from the top down, for a search result; null for a line of the tree. */
  path: string[] | null;
  isSelected: boolean;
  /** Selected for a command. */
  isMarked: boolean;
  onMouseDown: (event: MouseEvent, id: string) => void;
  onClick: (event: MouseEvent, id: string) => void;
}

export function CollectionLine(props: CollectionLineProps) {
  const { id, top, isFocus, line, path, isSelected, isMarked, onMouseDown, onClick } = props;
  const { row, level, isBranch, isExpanded } = line;
  const isFileTarget = useDrop((state) => state.hoverId === row.id);
  const isItemTarget = useBulk((state) => state.drag?.overId === row.id);
  const isDropTarget = useCollections((state) => state.drag?.overId === row.id) || isFileTarget || isItemTarget;
  const isRenaming = useCollections((state) => state.renamingId === row.id);
  const above = path === null ? '' : path.slice(0, -1).join(' › ');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={line.position}
      aria-setsize={line.setSize}
      aria-selected={isMarked || isSelected}
      {...(isSelected ? { 'aria-current': 'page' as const } : {})}
      {...(isMarked ? { 'data-marked': '' } : {})}
      {...(isBranch ? { 'aria-expanded': isExpanded } : {})}
      data-collection-id={row.id}
      {...(isFocus ? { 'data-focus': '' } : {})}
      {...(isDropTarget ? { 'data-drop-target': '' } : {})}
      className={styles.line}
      style={{ paddingLeft: indent(level), transform: `translateY(${top}px)` }}
      title={above === '' ? row.displayName : `${above} › ${row.displayName}`}
      onMouseDown={(event) => {
        // The tree itself keeps the focus.
        event.preventDefault();
        event.currentTarget.closest<HTMLElement>('[role="tree"]')?.focus({ preventScroll: true });
        onMouseDown(event, row.id);
      }}
      onClick={(event) => onClick(event, row.id)}
      onDoubleClick={() => isBranch && setExpanded(row.id, !isExpanded)}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the tree do the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the tree do the same */}
      <span
        className={styles.twisty}
        {...(isExpanded ? { 'data-open': '' } : {})}
        onClick={(event) => {
          if (!isBranch) return;
          event.stopPropagation();
          setExpanded(row.id, !isExpanded);
          useTree.setState({ focusKey: row.id });
        }}
      >
        {isBranch ? <Glyph name="open" size={13} /> : null}
      </span>
      <CollectionPicture id={row.id} className={styles.picture} isStoredOnly>
        <Glyph name={row.isPodcast ? 'podcast' : 'folder'} size={15} className={styles.icon} />
      </CollectionPicture>
      {isRenaming ? <RenameField row={row} /> : null}
      <span className={styles.name} hidden={isRenaming} {...(row.pending === 'deleted' ? { 'data-deleted': '' } : {})}>
        {row.displayName}
        {row.isPodcast ? <span className="visually-hidden">{texts.tree.podcast}</span> : null}
        {above === '' ? null : <span className={styles.path}>{above}</span>}
      </span>
      <PendingMark row={row} />
      <ItemCount count={isBranch && !isExpanded ? itemsIn(row) : row.mediaCount} />
      <button
        type="button"
        tabIndex={-1}
        className={styles.more}
        title={commandTexts.menu.more(row.displayName)}
        aria-label={commandTexts.menu.more(row.displayName)}
        aria-haspopup="menu"
        onMouseDown={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          event.currentTarget.closest<HTMLElement>('[role="tree"]')?.focus({ preventScroll: true });
          useTree.setState({ focusKey: row.id });
          useCollections.setState({ menu: { collectionId: row.id, x: left, y: bottom } });
        }}
      >
        <Glyph name="more" size={15} />
      </button>
    </div>
  );
}

/** Returns the number of items in a collection and in all collections below it; null while they are unknown. */
function itemsIn({ mediaCount, mediaCountBelow }: CollectionRow): number | null {
  return mediaCountBelow === null ? mediaCount : (mediaCount ?? 0) + mediaCountBelow;
}

function ItemCount({ count }: { count: number | null }) {
  if (!count) return null;
  return (
    <span className={styles.count}>
      <span aria-hidden>{formatCount(count)}</span>
      <span className="visually-hidden">{texts.tree.items(count)}</span>
    </span>
  );
}

/** Marks a collection with edits that the library has not received yet. */
function PendingMark({ row: { pending, needsDecision } }: { row: CollectionRow }) {
  if (pending === undefined) return null;
  const glyph = needsDecision ? 'warning' : pending === 'deleted' ? 'cancelled' : 'waiting';
  return (
    <span
      className={markStyles.mark}
      data-pending={needsDecision ? 'decision' : pending}
      title={needsDecision ? texts.tree.needsDecision : texts.tree.pendingTitle[pending]}
    >
      <Glyph name={glyph} size={12} />
      {needsDecision ? texts.tree.decide : texts.tree.pending[pending]}
    </span>
  );
}

export function LoadingLine({ id, top, level }: Place & { level: number }) {
  return (
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      className={classes(styles.line, styles.loading)}
      style={{ paddingLeft: indent(level) + 24, transform: `translateY(${top}px)` }}
    >
      {texts.tree.loading}
    </div>
  );
}

export function FailedLine({ id, top, isFocus, line }: Place & { line: Extract<TreeLine, { kind: 'error' }> }) {
  return (
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={line.level}
      aria-label={texts.tree.failed(line.error.message)}
      {...(isFocus ? { 'data-focus': '' } : {})}
      className={classes(styles.line, styles.failed)}
      style={{ paddingLeft: indent(line.level) + 4, transform: `translateY(${top}px)` }}
      title={`${line.error.message} ${line.error.nextStep ?? ''}`}
    >
      <CircleAlert size={14} aria-hidden />
      <span className={styles.name}>{texts.tree.notLoaded}</span>
      <Button variant="link" excludeFromTabOrder onPress={() => void loadBranch(line.parentId)}>
        {texts.tree.retry}
      </Button>
    </div>
  );
}
