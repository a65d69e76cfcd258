// The keyboard and the mouse inside a grid. Tab enters a grid once: the controls of its rows are reached by arrow keys.
import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { isMac } from '../../bridge/bridge.ts';
import type { Modifiers } from '../../lists/selection.ts';
import { openRowMenuAt } from '../overlay/menu.tsx';

const CONTROLS = 'button:not(:disabled), a[href]';

export const NO_MODIFIERS: Modifiers = { shift: false, toggle: false };

export function modifiersOf(event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): Modifiers {
  return { shift: event.shiftKey, toggle: isMac() ? event.metaKey : event.ctrlKey };
}

/** Opens the menu of a row, at a point of the window or beside its button. Returns false when the row has no menu. */
export function openRowMenu(row: Element | null, point: { x: number; y: number } | null = null): boolean {
  const trigger = row?.querySelector<HTMLElement>('[aria-haspopup="menu"]') ?? null;
  if (trigger === null) return false;
  openRowMenuAt(trigger, point);
  return true;
}

/**
 * Handles a key of a grid for its current row: Right moves the focus to the first control of the row, the menu key opens its
 * menu. Returns false for other keys, and when the row has neither.
 */
export function runRowKey(event: KeyboardEvent, row: Element | null): boolean {
  const isHandled = isMenuKey(event) ? openRowMenu(row) : event.key === 'ArrowRight' && enterRow(row);
  if (isHandled) event.preventDefault();
  return isHandled;
}

/**
 * Handles a key on a control of a row: arrow keys move the focus to the next control and back to the grid, Escape back to the
 * grid; the menu key opens the menu of the row. `event.currentTarget`: the grid.
 */
export function runControlKey(event: KeyboardEvent<HTMLElement>): void {
  const control = event.target as Element;
  const row = control.closest('[data-tile], [role="row"]');
  if (isMenuKey(event)) {
    if (openRowMenu(row)) event.preventDefault();
    return;
  }
  const target = targetInRow(row, control, event.key);
  if (target === null) return;
  event.preventDefault();
  if (target === 'grid') event.currentTarget.focus({ preventScroll: true });
  else target.focus();
}

function isMenuKey({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean {
  return key === 'ContextMenu' || (key === 'F10' && shiftKey);
}

function controlsOf(row: Element | null): HTMLElement[] {
  return row === null ? [] : [...row.querySelectorAll<HTMLElement>(CONTROLS)];
}

function enterRow(row: Element | null): boolean {
  const first = controlsOf(row)[0];
  first?.focus({ preventScroll: true });
  return first !== undefined;
}

/**
 * Returns the control to which a key moves the focus from a control of a row; `grid` for the grid itself, null for other keys.
 */
function targetInRow(row: Element | null, control: Element, key: string): HTMLElement | 'grid' | null {
  const controls = controlsOf(row);
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

/**
 * Moves the focus to a list when the element with the focused control shows another row: the next key must not reach a row that
 * the user did not choose. `shownBy` returns the id of the row that has a control. Returns the handler for the focus events of
 * the list.
 */
export function useRowFocus(
  list: RefObject<HTMLElement | null>,
  shownBy: (control: Element) => string | undefined,
): (event: FocusEvent) => void {
  const entered = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const control = document.activeElement;
    if (control === null || control === list.current || list.current?.contains(control) !== true) return;
    if (shownBy(control) !== entered.current) list.current.focus({ preventScroll: true });
  });
  return ({ target }) => {
    entered.current = shownBy(target);
  };
}
