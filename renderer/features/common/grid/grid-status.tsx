import { CircleAlert } from 'lucide-react';
import { problemAt } from '../../../../shared/model/grid/grid-model.ts';
import { focusNextProblem, rangeOf, sizeOf } from '../../../../shared/model/grid/grid-selection.ts';
import { Button } from '../../../kit/components/button.tsx';
import styles from './grid-editor.module.css';
import { texts } from './texts.ts';
import { type Grid, outcomeText } from './use-grid.ts';

interface GridStatusProps {
  grid: Grid;
  problemId: string;
}

/**
 * The line below a grid: the problem of the current cell, otherwise the result of the last action, or the position of the focus.
 */
export function GridStatus({ grid, problemId }: GridStatusProps) {
  const { model } = grid;
  const { focus } = model.selection;
  const problem = problemAt(model, focus);
  const size = sizeOf(rangeOf(model.selection));
  const place = texts.place(focus.row + 1, model.rows.length, model.columns[focus.column]?.label ?? '');
  const selected = size.cells > 1 ? texts.selected(size.rows, size.columns) : place;
  return (
    <div className={styles.status}>
      {problem === null ? (
        <span className={styles.statusText}>{model.last === null ? selected : outcomeText(model.last)}</span>
      ) : (
        <span id={problemId} className={styles.statusProblem}>
          <CircleAlert size={14} aria-hidden />
          {problem}
        </span>
      )}
      <span className={styles.counts}>
        {model.problemCells === 0 ? null : (
          <Button
            variant="quiet"
            icon={<CircleAlert size={14} aria-hidden />}
            onPress={() => grid.act(focusNextProblem)}
            aria-label={`${texts.problems(model.problemCells)}. ${texts.nextProblem}`}
          >
            {texts.problems(model.problemCells)}
          </Button>
        )}
        <span>{model.changedCells === 0 ? texts.unchanged : texts.changed(model.changedCells)}</span>
      </span>
    </div>
  );
}
