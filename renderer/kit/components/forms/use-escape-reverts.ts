import { type FocusEvent, type KeyboardEvent, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * For a field with a list: Escape restores the value before the typing (`isTyped`, `revert`) and closes the list; the dialog
 * around the field stays open. Returns the handlers for the element around the field. The list must contain the present value
 * after `revert`: the field reads its text from the list, and opens it again when it differs.
 */
export function useEscapeReverts(isTyped: boolean, revert: () => void) {
  const hasReverted = useRef(false);
  return {
    // In the capture phase: before the field handles the key.
    onKeyDownCapture({ key }: KeyboardEvent) {
      hasReverted.current = key === 'Escape' && isTyped;
      if (hasReverted.current) flushSync(revert);
    },
    onKeyDown(event: KeyboardEvent) {
      if (hasReverted.current) event.stopPropagation();
    },
  };
}

/**
 * Selects the text of a field that gets the focus, so that typing replaces it. A field with a list also receives focus events
 * that scripts dispatch, such as when the list opens: they would select the first typed character, and the next one would
 * replace it.
 */
export function selectOnFocus({ nativeEvent, target }: FocusEvent<HTMLInputElement>): void {
  if (nativeEvent.isTrusted) target.select();
}
