import type { MouseEvent } from 'react';
import type { GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { classes } from '../../../kit/components/button.tsx';
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
