import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

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
