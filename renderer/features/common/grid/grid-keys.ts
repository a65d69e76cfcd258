import type { Direction, GridMove } from '../../../../shared/model/grid/grid-selection.ts';

/** The effect of a key in a grid while no cell is edited. */
export type GridKey =
  | { kind: 'move'; move: GridMove; extends: boolean }
  | { kind: 'select-all' | 'select-rows' | 'select-columns' | 'deselect' }
  | { kind: 'edit' | 'clear' | 'fill-down' | 'fill-right' | 'undo' | 'redo' | 'find' | 'next-problem' }
  | { kind: 'resize'; by: number };

/** A pressed key. `mod`: Ctrl, or ⌘ on a Mac. */
export interface PressedKey {
  key: string;
  mod: boolean;
  shift: boolean;
  alt: boolean;
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};
const RESIZE_STEP = 24;

const COMMANDS: Readonly<Record<string, GridKey>> = {
  a: { kind: 'select-all' },
  d: { kind: 'fill-down' },
  r: { kind: 'fill-right' },
  f: { kind: 'find' },
  h: { kind: 'find' },
  y: { kind: 'redo' },
};

/** Returns the effect of a key while no cell is edited; null for keys that the grid ignores, such as letters and Tab. */
export function gridKey(pressed: PressedKey, pageRows: number): GridKey | null {
  const { key, mod, shift, alt } = pressed;
  const arrow = ARROWS[key];
  if (arrow !== undefined) return arrowKey(arrow, pressed);
  if (alt) return null;
  const named = namedKey(pressed, pageRows);
  if (named !== null || !mod) return named;
  const letter = key.toLowerCase();
  if (letter === 'z') return { kind: shift ? 'redo' : 'undo' };
  return shift ? null : (COMMANDS[letter] ?? null);
}

function namedKey({ key, mod, shift }: PressedKey, rows: number): GridKey | null {
  const move = (to: GridMove): GridKey => ({ kind: 'move', move: to, extends: shift });
  switch (key) {
    case 'Home':
      return move({ kind: mod ? 'grid-start' : 'row-start' });
    case 'End':
      return move({ kind: mod ? 'grid-end' : 'row-end' });
    case 'PageUp':
      return mod ? null : move({ kind: 'page', direction: 'up', rows });
    case 'PageDown':
      return mod ? null : move({ kind: 'page', direction: 'down', rows });
    case ' ':
      return { kind: mod ? 'select-columns' : shift ? 'select-rows' : 'edit' };
    case 'Enter':
    case 'F2':
      return mod || shift ? null : { kind: 'edit' };
    case 'F8':
      return { kind: 'next-problem' };
    case 'Delete':
    case 'Backspace':
      return mod ? null : { kind: 'clear' };
    case 'Escape':
      return { kind: 'deselect' };
    default:
      return null;
  }
}

function arrowKey(direction: Direction, { mod, shift, alt }: PressedKey): GridKey | null {
  if (alt) {
    if (direction === 'down' && !mod && !shift) return { kind: 'edit' };
    if (!shift || mod || direction === 'up' || direction === 'down') return null;
    return { kind: 'resize', by: direction === 'left' ? -RESIZE_STEP : RESIZE_STEP };
  }
  return { kind: 'move', move: { kind: mod ? 'edge' : 'step', direction }, extends: shift };
}
