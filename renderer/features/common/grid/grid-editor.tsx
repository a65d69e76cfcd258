import { type ReactNode, useId, useState } from 'react';
import type { GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { Button, classes } from '../../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { FindBar } from './find-bar.tsx';
import styles from './grid-editor.module.css';
import { GridStatus } from './grid-status.tsx';
import { GridTable } from './grid-table.tsx';
import { GridTools } from './grid-tools.tsx';
import { texts } from './texts.ts';
import { useGrid } from './use-grid.ts';
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
        {...{ grid, name, label, rowLabel, problemId, autoFocus, clipboard }}
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
