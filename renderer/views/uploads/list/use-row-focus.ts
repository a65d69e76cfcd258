import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Gives the focus back to a list when the row whose control has it shows another upload: the next key must not reach an
 * upload that the user did not choose. Returns the handler for the focus events of the list.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>): (event: FocusEvent) => void {
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

/** The id of the upload or batch whose row has the control. */
function shownBy(control: Element): string | undefined {
  const row = control.closest<HTMLElement>('[data-upload-id], [data-batch]');
  return row?.dataset.uploadId ?? row?.dataset.batch;
}
