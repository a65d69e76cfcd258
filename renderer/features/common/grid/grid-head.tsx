import { type CSSProperties, type MouseEvent, useEffect, useRef, useState } from 'react';
import type { GridColumn, GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { classes } from '../../../kit/components/button.tsx';
import { preferences, savePreferences } from '../state/preferences.ts';
import styles from './grid-editor.module.css';
import { texts } from './texts.ts';

interface GridHeadProps {
  model: GridModel;
  columns: {
    startResize: (event: MouseEvent, column: number) => void;
    resetWidth: (column: number) => void;
  };
  /** The selected columns. */
  left: number;
  right: number;
}

/** The names of the columns, with handles that change their widths. */
export function GridHead({ model, columns, left, right }: GridHeadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    <div role="rowgroup" tabIndex={-1} className={styles.head}>
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      <div role="row" tabIndex={-1} aria-rowindex={1} data-row={-1} className={styles.headRow}>
        {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
        <div role="columnheader" tabIndex={-1} aria-colindex={1} className={styles.number}>
          <span className="visually-hidden">{texts.rowNumbers}</span>
        </div>
        {model.columns.map(({ key, label, readOnly }, at) => (
          // biome-ignore lint/a11y/useSemanticElements: see the grid
          <div
            key={key}
            role="columnheader"
            tabIndex={-1}
            aria-colindex={at + 2}
            className={classes(styles.headCell, at >= left && at <= right && styles.inRange)}
            title={readOnly === true ? `${label} (${texts.readOnly})` : label}
          >
            <span className={styles.text}>{label}</span>
            {/* The keys Alt+Shift+arrow do the same. */}
            <span
              aria-hidden
              className={styles.handle}
              title={texts.resize(label)}
              onMouseDown={(event) => columns.startResize(event, at)}
              onDoubleClick={() => columns.resetWidth(at)}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

/** The width of the row numbers, and the limits of the other widths, in CSS pixels. */
export const NUMBER_WIDTH = 56;
const LEAST = 56;
const MOST = 1200;

const pixels = (width: number) => `${width}px`;

const limited = (width: number) => Math.max(LEAST, Math.min(MOST, Math.round(width)));

/** The widths of the columns, which the user can change with the mouse and with keys. They are stored for each `table`. */
export function useColumnWidths(table: string, columns: readonly GridColumn[]) {
  const [changed, setChanged] = useState<Readonly<Record<string, number>>>(() => preferences().gridWidths[table] ?? {});
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  const widths = columns.map(({ key, width }) => limited(changed[key] ?? width));
  const setWidth = (column: number, width: number) => {
    const key = columns[column]?.key;
    if (key === undefined) return;
    setChanged((before) => kept({ ...before, [key]: limited(width) }));
  };
  const kept = (widthsOf: Readonly<Record<string, number>>) => {
    savePreferences({ gridWidths: { ...preferences().gridWidths, [table]: widthsOf } });
    return widthsOf;
  };
  /** Resets a column to its default width. */
  const resetWidth = (column: number) => {
    const reset = columns[column]?.key;
    setChanged((before) => kept(Object.fromEntries(Object.entries(before).filter(([key]) => key !== reset))));
  };

  /** Changes a width as long as the mouse is down. */
  const startResize = (event: MouseEvent, column: number) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    const from = { x: event.clientX, width: widths[column] ?? LEAST };
    const onMove = ({ clientX }: globalThis.MouseEvent) => setWidth(column, from.width + clientX - from.x);
    const end = () => {
      window.removeEventListener('mousemove', onMove);
      window.removeEventListener('mouseup', end);
      stop.current = null;
    };
    stop.current?.();
    stop.current = end;
    window.addEventListener('mousemove', onMove);
    window.addEventListener('mouseup', end);
  };

  const total = widths.reduce((sum, width) => sum + width, NUMBER_WIDTH);
  const style = {
    '--columns': [NUMBER_WIDTH, ...widths].map(pixels).join(' '),
    '--grid-width': pixels(total),
    '--number-width': pixels(NUMBER_WIDTH),
  } as CSSProperties;
  return {
    widths,
    style,
    startResize,
    resetWidth,
    resizeBy: (column: number, by: number) => setWidth(column, (widths[column] ?? 0) + by),
  };
}
