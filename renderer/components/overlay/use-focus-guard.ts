import { useEffect } from 'react';

/** Longer than a menu or a dialog needs to return the focus, also on a busy computer. */
const SETTLES_MS = 300;
const PLACES = ['main [role="grid"]', 'main button:not(:disabled)', 'main input', 'nav button'];

/**
 * Keeps the keyboard usable: when the focused element is removed, such as a button whose command no longer applies, the
 * list of the view gets the focus.
 */
export function useFocusGuard(): void {
  useEffect(() => {
    let last: Element | null = null;
    let timer: number | null = null;
    const onFocus = (event: FocusEvent) => {
      last = event.target instanceof Element ? event.target : null;
    };
    const rescue = () => {
      timer = null;
      if (!isLost(last)) return;
      const places = PLACES.map((selector) => document.querySelector<HTMLElement>(selector));
      places.find((place) => place !== null)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (timer === null && isLost(last)) timer = window.setTimeout(rescue, SETTLES_MS);
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
      if (timer !== null) window.clearTimeout(timer);
    };
  }, []);
}

/** Returns whether the focused element was removed. A click on an empty place does not count. */
function isLost(last: Element | null): boolean {
  return last !== null && !last.isConnected && document.activeElement === document.body;
}
