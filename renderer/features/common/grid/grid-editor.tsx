import {
  ArrowDownAZ,
  ArrowDownToLine,
  ArrowDownZA,
  ArrowRightToLine,
  CircleAlert,
  Redo2,
  Replace,
  Undo2,
} from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { fillDown, fillRight, redo, undo } from '../../../../shared/model/grid/grid-changes.ts';
import { type GridModel, problemAt } from '../../../../shared/model/grid/grid-model.ts';
import { focusNextProblem, rangeOf, sizeOf } from '../../../../shared/model/grid/grid-selection.ts';
import { sortRows } from '../../../../shared/model/grid/sort-grid.ts';
import { isMac } from '../../../kit/bridge/bridge.ts';
import { Button, classes, IconButton } from '../../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { FindBar } from './find-bar.tsx';
import styles from './grid-editor.module.css';
import { GridTable } from './grid-table.tsx';
import { texts } from './texts.ts';
import { type Grid, gridOutcomeText, useGrid } from './use-grid.ts';
import { useGridClipboard } from './use-grid-clipboard.ts';

interface GridEditorProps {
  /** The name under which the widths of the columns are stored. */
  name: string;
  /** The name of the table for screen readers. */
  label: string;
  model: GridModel;
  /** Has to apply the model immediately, for example with `setState`. */
  onModel: (model: GridModel) => void;
  /** Returns the name of a row for screen readers, such as its title. Rows are counted from 0. */
  rowLabel: (row: number) => string;
  /** Whether the grid gets the keyboard focus when it appears. */
  autoFocus?: boolean;
  className?: string | undefined;
  /** More tools, at the end of the toolbar. */
  tools?: ReactNode;
}

/**
 * A table that is edited like a spreadsheet: keys, clipboard, fill, find and replace, undo. It needs a parent with a height.
 * The model and its actions are in `shared/model/grid`.
 */
export function GridEditor({
  name,
  label,
  model,
  onModel,
  rowLabel,
  autoFocus = false,
  className,
  tools,
}: GridEditorProps) {
  const grid = useGrid(model, onModel);
  const clipboard = useGridClipboard(grid);
  const [isFinding, setFinding] = useState(false);
  const problemId = useId();
  const closeFind = () => {
    setFinding(false);
    grid.focusInput();
  };
  return (
    <div className={classes(styles.editor, className)}>
      <GridTools grid={grid} isFinding={isFinding} onFind={() => (isFinding ? closeFind() : setFinding(true))}>
        {tools}
      </GridTools>
      {isFinding ? <FindBar grid={grid} onClose={closeFind} /> : null}
      <GridTable
        grid={grid}
        name={name}
        label={label}
        rowLabel={rowLabel}
        problemId={problemId}
        autoFocus={autoFocus}
        clipboard={clipboard}
        onFind={() => setFinding(true)}
      />
      <GridStatus grid={grid} problemId={problemId} />
      {clipboard.question === null ? null : (
        <Dialog
          title={texts.paste.title}
          isOpen
          role="alertdialog"
          onClose={() => clipboard.answer(false)}
          footer={
            <>
              <FooterSpace />
              <Button onPress={() => clipboard.answer(false)}>{texts.paste.cancel}</Button>
              <Button variant="primary" autoFocus onPress={() => clipboard.answer(true)}>
                {texts.paste.confirm}
              </Button>
            </>
          }
        >
          <p>{texts.paste.text(clipboard.question.plan.rowsOutside, clipboard.question.plan.columnsOutside)}</p>
        </Dialog>
      )}
    </div>
  );
}

interface GridStatusProps {
  grid: Grid;
  problemId: string;
}

/**
 * The line below a grid: the problem of the current cell, otherwise the result of the last action, or the position of the focus.
 */
function GridStatus({ grid, problemId }: GridStatusProps) {
  const { model } = grid;
  const { focus } = model.selection;
  const problem = problemAt(model, focus);
  const size = sizeOf(rangeOf(model.selection));
  const place = texts.place(focus.row + 1, model.rows.length, model.columns[focus.column]?.label ?? '');
  const selected = size.cells > 1 ? texts.selected(size.rows, size.columns) : place;
  return (
    <div className={styles.status}>
      {problem === null ? (
        <span className={styles.statusText}>{model.last === null ? selected : gridOutcomeText(model.last)}</span>
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

interface GridToolsProps {
  grid: Grid;
  isFinding: boolean;
  onFind: () => void;
  /** More tools. */
  children?: ReactNode;
}

/** The buttons above a grid. */
function GridTools({ grid, isFinding, onFind, children }: GridToolsProps) {
  const { model } = grid;
  const mod = isMac() ? '⌘' : 'Ctrl+';
  const tool = (label: string, keys: string, icon: ReactNode, run: (model: GridModel) => GridModel, isOff = false) => (
    <IconButton label={label} {...(keys === '' ? {} : { keys })} isDisabled={isOff} onPress={() => grid.act(run)}>
      {icon}
    </IconButton>
  );
  return (
    <div role="toolbar" aria-label={texts.tools} className={styles.tools}>
      {tool(texts.undo, `${mod}Z`, <Undo2 size={16} />, undo, model.undos.length === 0)}
      {tool(texts.redo, `${mod}Y`, <Redo2 size={16} />, redo, model.redos.length === 0)}
      {tool(texts.fillDown, `${mod}D`, <ArrowDownToLine size={16} />, fillDown)}
      {tool(texts.fillRight, `${mod}R`, <ArrowRightToLine size={16} />, fillRight)}
      {tool(texts.menu.sortUp, '', <ArrowDownAZ size={16} />, (model) => sortRows(model, 'asc'))}
      {tool(texts.menu.sortDown, '', <ArrowDownZA size={16} />, (model) => sortRows(model, 'desc'))}
      <IconButton label={texts.findReplace} keys={`${mod}F`} aria-pressed={isFinding} onPress={onFind}>
        <Replace size={16} />
      </IconButton>
      {children}
    </div>
  );
}
