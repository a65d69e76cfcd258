import type { FocusEvent } from 'react';

/**
 * Selects the text of a field that gets the focus, so that typing replaces it. A field with a list also receives focus events
 * that scripts dispatch, such as when the list opens: they would select the first typed character, and the next one would
 * replace it.
 */
export function selectOnFocus({ nativeEvent, target }: FocusEvent<HTMLInputElement>): void {
  if (nativeEvent.isTrusted) target.select();
}
