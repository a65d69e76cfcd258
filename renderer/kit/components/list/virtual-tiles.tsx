import { type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { TILE_GAP, type TileLayout, tileLayout } from '../../lists/columns.ts';
import { type HeadedLines, headedLines, type RowHeading } from '../../lists/headed-lines.ts';
import { countSelected, isSelected } from '../../lists/selection.ts';
import { classes } from '../button.tsx';
import { RowCheck } from './cell.tsx';
import { HeadingRow } from './heading-row.tsx';
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
  /** Headings of the tiles in their order, each of which begins a new line; the first one is that of the first tile. */
  headings?: readonly RowHeading[] | undefined;
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
const HEADING_HEIGHT = 36;
const NO_HEADINGS: readonly RowHeading[] = [];

/**
 * A grid of tiles of any length: only visible tiles are in the document. Keys, selection, focus and menus are those of
 * `VirtualGrid`, with arrow keys in two dimensions; the menu of a tile opens with Shift+F10 or a right click.
 */
export function VirtualTiles(props: VirtualTilesProps) {
  const { total, selection, onShow, listKey, startAt = -1, tileWidth, textHeight, headings = NO_HEADINGS } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const [width, setWidth] = useState(0);
  const hasHeadings = headings.length > 0;
  const layout = useMemo(
    () => withHeadings(tileLayout(width === 0 ? ASSUMED_WIDTH : width, tileWidth, textHeight), hasHeadings),
    [width, tileWidth, textHeight, hasHeadings],
  );
  const { columns, lineHeight, parts } = layout;
  const partHeight = lineHeight / parts;
  const headed = useMemo(
    () => headedLines(total, headings, { columns, lines: parts }),
    [total, headings, columns, parts],
  );
  const lines = useLineWindow({
    scroller,
    lines: headed.count,
    lineHeight: partHeight,
    overscan: OVERSCAN * parts,
    listKey,
    startAt: startAt < 0 ? -1 : headed.lineOf(startAt),
  });
  if (lines.viewport.width !== width) setWidth(lines.viewport.width);
  // When the size of tiles or the groups change, the first visible tile stays the first one.
  const topTile = useRef({ layout, index: 0 });
  const { showFirst } = lines;
  useLayoutEffect(() => {
    const { layout: before, index } = topTile.current;
    topTile.current = { layout, index };
    const isSame = before.columns === columns && before.lineHeight === lineHeight && before.parts === parts;
    if (!isSame) showFirst(headed.lineOf(Math.min(index, Math.max(0, total - 1))));
  }, [layout, columns, lineHeight, parts, headed, total, showFirst]);
  useEffect(() => {
    topTile.current = { layout, index: headed.rowFrom(lines.topLine) };
  });
  const first = headed.rowFrom(Math.max(0, lines.first));
  const last = headed.rowUntil(lines.last);
  const lastShown = last < 0 ? columns * Math.ceil((lines.viewport.height || 800) / lineHeight) : last;
  useEffect(() => onShow(first, lastShown), [onShow, first, lastShown]);

  const tileId = (index: number) => `${gridId}-${index}`;
  const { onKeyDown, rowHandlers, byPointer } = useGridInput(props, {
    columns,
    moved: headed.moved,
    pageSize: () => Math.max(1, Math.floor(lines.viewport.height / lineHeight)),
    reveal: (index) => lines.reveal(headed.lineOf(index), parts),
    current: () => document.getElementById(tileId(selection.focus)),
  });
  const [hovered, setHovered] = useState(-1);

  const top = headed.headingAt(lines.firstVisible);
  const linesAbove = top === null ? 0 : 1;
  const placeOf = (line: number) => ({
    rowIndex: headed.rowsAbove(line) + linesAbove + 1,
    top: lines.topOf(line),
  });
  const headingRows = headed.headingsIn(lines.first, lines.last).map(({ heading, line }) => ({
    index: heading.index - 0.5,
    element: (
      <HeadingRow
        key={`above-${heading.index}`}
        heading={heading}
        columnCount={columns}
        height={partHeight}
        {...placeOf(line)}
      />
    ),
  }));
  const tileLines = rowsWithin(headed, first, last).map(({ from, until, line }) => ({
    index: from,
    element: (
      <TileLine
        key={from}
        from={from}
        until={until}
        layout={layout}
        tileId={tileId}
        hovered={hovered}
        onHover={setHovered}
        grid={props}
        {...placeOf(line)}
      />
    ),
  }));
  const isFocusDrawn = selection.focus >= first && selection.focus <= last;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the tiles
    <div
      role="grid"
      aria-label={props.label}
      aria-rowcount={headed.rowCount + linesAbove}
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
      {top === null ? null : (
        <HeadingRow heading={top} columnCount={columns} rowIndex={linesAbove} height={HEADING_HEIGHT} />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: see the tiles; a scroller that is no stop of the Tab key */}
      <div ref={scroller} className={rowStyles.scroller} role="rowgroup" tabIndex={-1} {...rowHandlers}>
        <div
          className={classes(rowStyles.sizer, gridStyles.sizer)}
          role="presentation"
          style={{ height: lines.height }}
        >
          {[...headingRows, ...tileLines].sort((a, b) => a.index - b.index).map(({ element }) => element)}
          {total === 0 ? <EmptyRow columnCount={columns} /> : null}
        </div>
      </div>
    </div>
  );
}

/**
 * Divides the height of a line of tiles into equal parts, one of which is the height of a heading, so that all positions are multiples of
 * a part. A line becomes higher by less than its number of parts.
 */
function withHeadings(layout: TileLayout, hasHeadings: boolean): TileLayout & { parts: number } {
  const parts = hasHeadings ? Math.max(1, Math.round(layout.lineHeight / HEADING_HEIGHT)) : 1;
  return { ...layout, parts, lineHeight: parts * Math.ceil(layout.lineHeight / parts) };
}

/** Returns the rows of tiles between two tiles, both included, each with its first line. */
function rowsWithin(headed: HeadedLines, first: number, last: number) {
  const rows: { from: number; until: number; line: number }[] = [];
  for (let from = first; from <= last; ) {
    const line = headed.lineOf(from);
    const until = headed.rowUntil(line);
    rows.push({ from, until, line });
    from = until + 1;
  }
  return rows;
}

interface TileLineProps {
  /** The first and the last tile. */
  from: number;
  until: number;
  rowIndex: number;
  top: number;
  layout: TileLayout;
  /** The tile under the pointer; -1 for none. */
  hovered: number;
  onHover: (index: number) => void;
  tileId: (index: number) => string;
  grid: Pick<VirtualTilesProps, 'selection' | 'idAt' | 'renderTile' | 'hasChecks'>;
}

/** Tiles beside each other. */
function TileLine({ from, until, rowIndex, top, layout, hovered, onHover, tileId, grid }: TileLineProps) {
  const { selection, idAt } = grid;
  const { tileWidth, lineHeight } = layout;
  const indexes = Array.from({ length: until - from + 1 }, (_, column) => from + column);
  return (
    // biome-ignore lint/a11y/useSemanticElements: CSS places the tiles, and only visible ones exist
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={rowIndex}
      className={styles.line}
      style={{ height: lineHeight, transform: `translateY(${top}px)` }}
    >
      {indexes.map((index) => (
        // biome-ignore lint/a11y/useSemanticElements: see the line
        <div
          key={index}
          id={tileId(index)}
          role="gridcell"
          data-tile
          data-index={index}
          tabIndex={-1}
          aria-colindex={index - from + 1}
          aria-selected={isSelected(selection, idAt(index))}
          {...(index === selection.focus ? { 'data-focus': '' } : {})}
          className={styles.tile}
          style={{ width: tileWidth, height: lineHeight - TILE_GAP, marginLeft: TILE_GAP }}
          onMouseEnter={() => onHover(index)}
        >
          {grid.renderTile(index, { layout, isActive: index === selection.focus || index === hovered })}
          {grid.hasChecks ? <RowCheck /> : null}
        </div>
      ))}
    </div>
  );
}
