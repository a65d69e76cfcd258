import {
  ArrowDownToLine,
  ArrowRightToLine,
  CircleAlert,
  Columns3,
  Copy,
  Eraser,
  History,
  PencilLine,
  Rows3,
  Scissors,
} from 'lucide-react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { clear, fillDown, fillRight, revert } from '../../../../shared/model/grid/grid-changes.ts';
import { copy } from '../../../../shared/model/grid/grid-clipboard.ts';
import { type GridModel, isChanged } from '../../../../shared/model/grid/grid-model.ts';
import {
  focusCell,
  focusNextProblem,
  rangeOf,
  selectWhole,
  sizeOf,
} from '../../../../shared/model/grid/grid-selection.ts';
import { isMac } from '../../../bridge/bridge.ts';
import { copyText } from '../../../bridge/copy-text.ts';
import { ContextMenu } from '../../../components/overlay/context-menu.tsx';
import type { MenuEntry, MenuGroup } from '../../../components/overlay/menu.tsx';
import { announce, attempt } from '../../../stores/app/messages-store.ts';
import { texts } from './texts.ts';
import type { Grid } from './use-grid.ts';
import { placeOf } from './use-grid-pointer.ts';

const words = texts.menu;

/** The open menu of the selected cells; pixels of the window. */
interface MenuPlace {
  x: number;
  y: number;
}

/** Opens the menu of cells: by a right click, which selects the cell unless it is selected, and by Shift+F10. */
export function useCellMenu(grid: Grid) {
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  /** The menu keeps the keyboard until it is closed: the field of a cell that is to be edited would lose it again. */
  const isToEdit = useRef(false);
  const { focusInput, beginEdit } = grid;
  useEffect(() => {
    if (menu !== null || !isToEdit.current) return;
    isToEdit.current = false;
    focusInput();
    beginEdit('edit');
  }, [menu, focusInput, beginEdit]);
  const onContextMenu = (event: MouseEvent) => {
    // The field of an edited cell has the menu of texts.
    if (grid.editing !== null || !(event.target instanceof Element)) return;
    const place = placeOf(event.target);
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

/** What can be done with the selected cells. */
export function CellMenu({ grid, place, onEdit, onClose }: CellMenuProps) {
  return <ContextMenu label={words.label} {...place} groups={groupsOf(grid, onEdit)} onClose={onClose} />;
}

function groupsOf(grid: Grid, onEdit: () => void): MenuGroup[] {
  const { model } = grid;
  const mod = isMac() ? '⌘' : 'Ctrl+';
  const act = (change: (model: GridModel) => GridModel) => () => grid.act(change);
  const toClipboard = (isCut: boolean) => () =>
    void attempt(async () => {
      copyText(copy(model));
      if (isCut) grid.act((now) => clear(now, 'cut'));
      else announce(texts.copied(sizeOf(rangeOf(model.selection)).cells));
    });
  const edit: MenuEntry = {
    ...{ id: 'edit', label: words.edit, icon: <PencilLine size={14} aria-hidden />, detail: 'F2' },
    onAction: onEdit,
  };
  return [
    {
      entries: [
        edit,
        {
          id: 'cut',
          label: words.cut,
          icon: <Scissors size={14} aria-hidden />,
          detail: `${mod}X`,
          onAction: toClipboard(true),
        },
        {
          id: 'copy',
          label: words.copy,
          icon: <Copy size={14} aria-hidden />,
          detail: `${mod}C`,
          onAction: toClipboard(false),
        },
        {
          id: 'clear',
          label: words.clear,
          icon: <Eraser size={14} aria-hidden />,
          detail: 'Del',
          onAction: act((now) => clear(now)),
        },
        {
          ...{ id: 'revert', label: words.revert, icon: <History size={14} aria-hidden /> },
          isDisabled: !hasChange(model),
          onAction: act(revert),
        },
      ],
    },
    {
      entries: [
        {
          id: 'down',
          label: words.fillDown,
          icon: <ArrowDownToLine size={14} aria-hidden />,
          detail: `${mod}D`,
          onAction: act(fillDown),
        },
        {
          id: 'right',
          label: words.fillRight,
          icon: <ArrowRightToLine size={14} aria-hidden />,
          detail: `${mod}R`,
          onAction: act(fillRight),
        },
      ],
    },
    {
      entries: [
        {
          ...{ id: 'rows', label: words.rows, icon: <Rows3 size={14} aria-hidden />, detail: 'Shift+Space' },
          onAction: act((now) => selectWhole(now, 'rows')),
        },
        {
          ...{ id: 'columns', label: words.columns, icon: <Columns3 size={14} aria-hidden />, detail: `${mod}Space` },
          onAction: act((now) => selectWhole(now, 'columns')),
        },
        {
          ...{ id: 'problem', label: words.problem, icon: <CircleAlert size={14} aria-hidden />, detail: 'F8' },
          isDisabled: model.problemCells === 0,
          onAction: act(focusNextProblem),
        },
      ],
    },
  ];
}

/** Whether a selected cell differs from what it was at first. */
function hasChange(model: GridModel): boolean {
  const { top, bottom, left, right } = rangeOf(model.selection);
  for (let row = top; row <= bottom; row += 1) {
    if ((model.rows[row]?.changed ?? 0) === 0) continue;
    for (let column = left; column <= right; column += 1) if (isChanged(model, { row, column })) return true;
  }
  return false;
}
