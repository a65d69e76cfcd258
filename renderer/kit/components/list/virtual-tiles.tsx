import { type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { TILE_GAP, type TileLayout, tileLayout } from '../../lists/columns.ts';
import { countSelected, isSelected } from '../../lists/selection.ts';
import { classes } from '../button.tsx';
import { RowCheck } from './cell.tsx';
import rowStyles from './rows.module.css';
import { type GridBehavior, useGridInput } from './use-grid-input.ts';
import { useLineWindow } from './use-line-window.ts';
import gridStyles from './virtual-grid.module.css';
import { EmptyRow } from './virtual-grid.tsx';
import styles from './virtual-tiles.module.css';

/** The state of a tile besides its row. */
export interface TileState {
  layout: TileLayout;
  /** The tile has the pointer or the keyboard: only then it needs its menu, so that other tiles stay small. */
  isActive: boolean;
}

export interface VirtualTilesProps extends GridBehavior {
  label: string;
  /** The wanted width of a tile in CSS pixels. */
  tileWidth: number;
  /** The height of the text below the picture of a tile. */
  textHeight: number;
  listKey: string;
  /** Called when other tiles become visible; both ends are included. */
  onShow: (first: number, last: number) => void;
  /** The tile to make visible when the grid appears; -1 for the top. */
  startAt?: number;
  renderTile: (index: number, state: TileState) => ReactNode;
}

/** Lines drawn above and below the visible ones. */
const OVERSCAN = 1;
const ASSUMED_WIDTH = 800;

/**
 * A grid of tiles of any length: only visible tiles are in the document. Keys, selection, focus and menus are those of
 * `VirtualGrid`, with arrow keys in two dimensions; the menu of a tile opens with Shift+F10 or a right click.
 */
export function VirtualTiles(props: VirtualTilesProps) {
  const { total, selection, onShow, idAt, listKey, startAt = -1, tileWidth, textHeight } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const [width, setWidth] = useState(0);
  const layout = useMemo(
    () => tileLayout(width === 0 ? ASSUMED_WIDTH : width, tileWidth, textHeight),
    [width, tileWidth, textHeight],
  );
  const { columns, lineHeight } = layout;
  const lines = useLineWindow({
    scroller,
    lines: Math.ceil(total / columns),
    lineHeight,
    overscan: OVERSCAN,
    listKey,
    startAt: startAt < 0 ? -1 : Math.floor(startAt / columns),
  });
  if (lines.viewport.width !== width) setWidth(lines.viewport.width);
  // When the size of tiles changes, the first visible tile stays the first one.
  const topTile = useRef({ columns, lineHeight, index: 0 });
  const { showFirst } = lines;
  useLayoutEffect(() => {
    const before = topTile.current;
    if (before.columns === columns && before.lineHeight === lineHeight) return;
    topTile.current = { ...before, columns, lineHeight };
    showFirst(Math.floor(before.index / columns));
  }, [columns, lineHeight, showFirst]);
  useEffect(() => {
    topTile.current = { columns, lineHeight, index: lines.topLine * columns };
  });
  const first = lines.first * columns;
  const last = Math.min(total - 1, (lines.last + 1) * columns - 1);
  const lastShown = last < 0 ? columns * Math.ceil((lines.viewport.height || 800) / lineHeight) : last;
  useEffect(() => onShow(first, lastShown), [onShow, first, lastShown]);

  const tileId = (index: number) => `${gridId}-${index}`;
  const { onKeyDown, rowHandlers, byPointer } = useGridInput(props, {
    columns,
    pageSize: () => Math.max(1, Math.floor(lines.viewport.height / lineHeight)),
    reveal: (index) => lines.reveal(Math.floor(index / columns)),
    current: () => document.getElementById(tileId(selection.focus)),
  });
  const [hovered, setHovered] = useState(-1);

  const drawn: ReactNode[] = [];
  for (let line = lines.first; line <= lines.last; line += 1) {
    const tiles: ReactNode[] = [];
    for (let index = line * columns; index < Math.min(total, (line + 1) * columns); index += 1) {
      const isFocus = index === selection.focus;
      tiles.push(
        // biome-ignore lint/a11y/useSemanticElements: CSS places the tiles, and only visible ones exist
        <div
          key={index}
          id={tileId(index)}
          role="gridcell"
          data-tile
          data-index={index}
          tabIndex={-1}
          aria-colindex={(index % columns) + 1}
          aria-selected={isSelected(selection, idAt(index))}
          {...(isFocus ? { 'data-focus': '' } : {})}
          className={styles.tile}
          style={{ width: layout.tileWidth, height: lineHeight - TILE_GAP, marginLeft: TILE_GAP }}
          onMouseEnter={() => setHovered(index)}
        >
          {props.renderTile(index, { layout, isActive: isFocus || index === hovered })}
          {props.hasChecks ? <RowCheck /> : null}
        </div>,
      );
    }
    drawn.push(
      // biome-ignore lint/a11y/useSemanticElements: see the tiles
      <div
        key={line}
        role="row"
        tabIndex={-1}
        aria-rowindex={line + 1}
        className={styles.line}
        style={{ height: lineHeight, transform: `translateY(${lines.topOf(line)}px)` }}
      >
        {tiles}
      </div>,
    );
  }
  const isFocusDrawn = selection.focus >= first && selection.focus <= last;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the tiles
    <div
      role="grid"
      aria-label={props.label}
      aria-rowcount={Math.ceil(total / columns)}
      aria-colcount={columns}
      aria-multiselectable={!props.isSingle}
      tabIndex={0}
      className={classes(rowStyles.grid, styles.grid)}
      onKeyDown={onKeyDown}
      onMouseLeave={() => setHovered(-1)}
      {...(byPointer ? { 'data-pointer': '' } : {})}
      {...(props.hasChecks && countSelected(selection, total) > 1 ? { 'data-several': '' } : {})}
      {...(isFocusDrawn ? { 'aria-activedescendant': tileId(selection.focus) } : {})}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the tiles; a scroller that is no stop of the Tab key */}
      <div ref={scroller} className={rowStyles.scroller} role="rowgroup" tabIndex={-1} {...rowHandlers}>
        <div
          className={classes(rowStyles.sizer, gridStyles.sizer)}
          role="presentation"
          style={{ height: lines.height }}
        >
          {drawn}
          {total === 0 ? <EmptyRow columnCount={columns} /> : null}
        </div>
      </div>
    </div>
  );
}
