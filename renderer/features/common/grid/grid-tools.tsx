import { ArrowDownToLine, ArrowRightToLine, Redo2, Replace, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { fillDown, fillRight, redo, undo } from '../../../../shared/model/grid/grid-changes.ts';
import type { GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { isMac } from '../../../kit/bridge/bridge.ts';
import { IconButton } from '../../../kit/components/button.tsx';
import styles from './grid-editor.module.css';
import { texts } from './texts.ts';
import type { Grid } from './use-grid.ts';

interface GridToolsProps {
  grid: Grid;
  isFinding: boolean;
  onFind: () => void;
  /** More tools. */
  children?: ReactNode;
}

/** The buttons above a grid. */
export function GridTools({ grid, isFinding, onFind, children }: GridToolsProps) {
  const { model } = grid;
  const mod = isMac() ? '⌘' : 'Ctrl+';
  const tool = (label: string, keys: string, icon: ReactNode, run: (model: GridModel) => GridModel, isOff = false) => (
    <IconButton label={label} keys={keys} isDisabled={isOff} onPress={() => grid.act(run)}>
      {icon}
    </IconButton>
  );
  return (
    <div role="toolbar" aria-label={texts.tools} className={styles.tools}>
      {tool(texts.undo, `${mod}Z`, <Undo2 size={16} />, undo, model.undos.length === 0)}
      {tool(texts.redo, `${mod}Y`, <Redo2 size={16} />, redo, model.redos.length === 0)}
      {tool(texts.fillDown, `${mod}D`, <ArrowDownToLine size={16} />, fillDown)}
      {tool(texts.fillRight, `${mod}R`, <ArrowRightToLine size={16} />, fillRight)}
      <IconButton label={texts.findReplace} keys={`${mod}F`} aria-pressed={isFinding} onPress={onFind}>
        <Replace size={16} />
      </IconButton>
      {children}
    </div>
  );
}
