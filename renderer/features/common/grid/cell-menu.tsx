import {
  ArrowDownAZ,
  ArrowDownToLine,
  ArrowDownZA,
  ArrowRightToLine,
  CircleAlert,
  Columns3,
  Copy,
  Eraser,
  History,
  type LucideIcon,
  PencilLine,
  Rows3,
  Scissors,
} from 'lucide-react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { clear, fillDown, fillRight, revertCells } from '../../../../shared/model/grid/grid-changes.ts';
import { copyCells } from '../../../../shared/model/grid/grid-clipboard.ts';
import { type GridModel, isChanged } from '../../../../shared/model/grid/grid-model.ts';
import {
  focusCell,
  focusNextProblem,
  rangeOf,
  selectWhole,
  sizeOf,
} from '../../../../shared/model/grid/grid-selection.ts';
import { sortRows } from '../../../../shared/model/grid/sort-grid.ts';
import { isMac } from '../../../kit/bridge/bridge.ts';
import { copyText } from '../../../kit/bridge/files-and-clipboard.ts';
import { ContextMenu } from '../../../kit/components/overlay/context-menu.tsx';
import type { MenuEntry, MenuGroup } from '../../../kit/components/overlay/menu.tsx';
import { announce, attempt } from '../state/messages-store.ts';
import { texts } from './texts.ts';
import type { Grid } from './use-grid.ts';
import { gridCellAt } from './use-grid-pointer.ts';

const words = texts.menu;

/** The open menu of the selected cells; pixels of the window. */
interface MenuPlace {
  x: number;
  y: number;
}

/** Opens the menu of cells: by a right click, which selects the cell unless it is selected, and by Shift+F10. */
export function useCellMenu(grid: Grid) {
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  /** The menu keeps the keyboard focus until it is closed, so an edit that it starts has to wait for that. */
  const isToEdit = useRef(false);
  const { focusInput, beginEdit } = grid;
  const wasOpen = useRef(false);
  useEffect(() => {
    const isClosed = wasOpen.current && menu === null;
    wasOpen.current = menu !== null;
    if (!isClosed) return;
    // A command may have moved the focus to another cell: the menu would return the keyboard to an element that is gone.
    focusInput();
    if (isToEdit.current) beginEdit('edit');
    isToEdit.current = false;
  }, [menu, focusInput, beginEdit]);
  const onContextMenu = (event: MouseEvent) => {
    // The field of an edited cell has the menu of texts.
    if (grid.editing !== null || !(event.target instanceof Element)) return;
    const place = gridCellAt(event.target);
    if (place === null || place.row < 0) return;
    event.preventDefault();
    const column = Math.max(0, place.column);
    const { top, bottom, left, right } = rangeOf(grid.model.selection);
    const isSelected = place.row >= top && place.row <= bottom && column >= left && column <= right;
    if (!isSelected) {
      grid.act((model) => {
        const focused = focusCell(model, { row: place.row, column }, { extends: false });
        return place.column < 0 ? selectWhole(focused, 'rows') : focused;
      });
    }
    setMenu({ x: event.clientX, y: event.clientY });
  };
  return {
    menu,
    onContextMenu,
    closeMenu: () => setMenu(null),
    editAfterwards() {
      isToEdit.current = true;
    },
  };
}

interface CellMenuProps {
  grid: Grid;
  place: MenuPlace;
  /** Begins an edit of the cell with the focus when the menu is closed. */
  onEdit: () => void;
  onClose: () => void;
}

/** The commands for the selected cells. */
export function CellMenu({ grid, place, onEdit, onClose }: CellMenuProps) {
  return <ContextMenu label={words.label} {...place} groups={groupsOf(grid, onEdit)} onClose={onClose} />;
}

function groupsOf(grid: Grid, onEdit: () => void): MenuGroup[] {
  const { model } = grid;
  const mod = isMac() ? '⌘' : 'Ctrl+';
  const act = (change: (model: GridModel) => GridModel) => () => grid.act(change);
  const select = (axis: 'rows' | 'columns') => act((now) => selectWhole(now, axis));
  const toClipboard = (isCut: boolean) => () =>
    void attempt(async () => {
      copyText(copyCells(model));
      if (isCut) grid.act((now) => clear(now, 'cut'));
      else announce(texts.copied(sizeOf(rangeOf(model.selection)).cells));
    });
  return [
    {
      entries: [
        entry('edit', PencilLine, 'F2', onEdit),
        entry('cut', Scissors, `${mod}X`, toClipboard(true)),
        entry('copy', Copy, `${mod}C`, toClipboard(false)),
        entry('clear', Eraser, 'Del', act(clear)),
        { ...entry('revert', History, null, act(revertCells)), isDisabled: !hasChange(model) },
      ],
    },
    {
      entries: [
        entry('fillDown', ArrowDownToLine, `${mod}D`, act(fillDown)),
        entry('fillRight', ArrowRightToLine, `${mod}R`, act(fillRight)),
      ],
    },
    {
      entries: [
        entry(
          'sortUp',
          ArrowDownAZ,
          null,
          act((model) => sortRows(model, 'asc')),
        ),
        entry(
          'sortDown',
          ArrowDownZA,
          null,
          act((model) => sortRows(model, 'desc')),
        ),
      ],
    },
    {
      entries: [
        entry('rows', Rows3, 'Shift+Space', select('rows')),
        entry('columns', Columns3, `${mod}Space`, select('columns')),
        { ...entry('problem', CircleAlert, 'F8', act(focusNextProblem)), isDisabled: model.problemCells === 0 },
      ],
    },
  ];
}

/** Returns an entry with its icon and its keyboard shortcut; null: it has none. */
function entry(
  id: Exclude<keyof typeof words, 'label'>,
  Icon: LucideIcon,
  detail: string | null,
  onAction: () => void,
): MenuEntry {
  return {
    id,
    label: words[id],
    icon: <Icon size={14} aria-hidden />,
    onAction,
    ...(detail === null ? {} : { detail }),
  };
}

/** Returns whether a selected cell differs from its initial value. */
function hasChange(model: GridModel): boolean {
  const { top, bottom, left, right } = rangeOf(model.selection);
  for (let row = top; row <= bottom; row += 1) {
    if ((model.rows[row]?.changed ?? 0) === 0) continue;
    for (let column = left; column <= right; column += 1) if (isChanged(model, { row, column })) return true;
  }
  return false;
}
