// The keyboard inside the rows of a grid. Tab enters a grid once: the controls of its rows are reached by arrow keys.
import { openRowMenuAt } from '../overlay/row-menu-point.ts';

const CONTROLS = 'button:not(:disabled), a[href]';

function controlsOf(row: Element | null): HTMLElement[] {
  return row === null ? [] : [...row.querySelectorAll<HTMLElement>(CONTROLS)];
}

/** Opens the menu of a row, at a point of the window or beside its button. Returns false when the row has no menu. */
export function openRowMenu(row: Element | null, point: { x: number; y: number } | null = null): boolean {
  const trigger = row?.querySelector<HTMLElement>('[aria-haspopup="menu"]') ?? null;
  if (trigger === null) return false;
  openRowMenuAt(trigger, point);
  return true;
}

export function isMenuKey({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean {
  return key === 'ContextMenu' || (key === 'F10' && shiftKey);
}

/** Moves the keyboard from the grid to the first control of a row. Returns false when the row has none. */
export function enterRow(row: Element | null): boolean {
  const first = controlsOf(row)[0];
  first?.focus({ preventScroll: true });
  return first !== undefined;
}

/** Returns where an arrow key or Escape moves the focus from a control of a row; `grid` for back to the grid itself. */
export function moveInRow(control: Element, key: string): HTMLElement | 'grid' | null {
  const controls = controlsOf(control.closest('[role="row"]'));
  const index = controls.indexOf(control as HTMLElement);
  if (index < 0) return null;
  switch (key) {
    case 'ArrowRight':
      return controls[index + 1] ?? null;
    case 'ArrowLeft':
      return controls[index - 1] ?? 'grid';
    case 'Escape':
      return 'grid';
    default:
      return null;
  }
}
