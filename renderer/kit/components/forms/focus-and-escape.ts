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

/**
 * Keeps the field with the focus in view when a form grows, such as with values that arrive above it. A field that the user has
 * scrolled out of view is not moved. For the `ref` of the form: it returns its own clean-up.
 */
export function keepFocusInView(form: HTMLElement | null): (() => void) | undefined {
  if (form === null) return undefined;
  let isInView = false;
  const fieldOf = () => {
    const focused = document.activeElement;
    return focused instanceof HTMLElement && focused !== form && form.contains(focused) ? focused : null;
  };
  const note = () => {
    const field = fieldOf();
    isInView = field !== null && isVisibleIn(scrollerOf(form), field);
  };
  let height = form.offsetHeight;
  /**
   * Ignores a scroll while the form has grown since its height was last observed: then the field can be out of view although the
   * user did not scroll.
   */
  const noteScroll = () => {
    if (form.offsetHeight === height) note();
  };
  const observer = new ResizeObserver(() => {
    height = form.offsetHeight;
    if (isInView) fieldOf()?.scrollIntoView({ block: 'nearest' });
    note();
  });
  observer.observe(form);
  form.addEventListener('focusin', note);
  document.addEventListener('scroll', noteScroll, { capture: true, passive: true });
  return () => {
    observer.disconnect();
    form.removeEventListener('focusin', note);
    document.removeEventListener('scroll', noteScroll, { capture: true });
  };
}

/** The element that scrolls a form. */
function scrollerOf(form: HTMLElement): Element {
  for (let at = form.parentElement; at !== null; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.documentElement;
}

function isVisibleIn(scroller: Element, field: HTMLElement): boolean {
  const [outer, inner] = [scroller.getBoundingClientRect(), field.getBoundingClientRect()];
  return inner.top >= outer.top && inner.bottom <= outer.bottom;
}
