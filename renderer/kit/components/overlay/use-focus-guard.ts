import { useEffect } from 'react';

/** How long the guard waits: longer than a menu or a dialog needs to return the focus itself, also on a busy computer. */
const SETTLES_MS = 150;
/** How long the guard waits at the start for the list of the view, which appears a little later than the window. */
const LIST_COMES_MS = 2000;

/** Parts of the window in which the focus stays, from the inside out. The messages at the bottom disappear automatically. */
const REGIONS = '[role="dialog"], [role="alertdialog"], form, section:not([data-react-aria-top-layer]), main, aside';
/**
 * These are preferred: a list, because most removed elements are commands of its rows, and an element that handles the keys of its
 * dialog.
 */
const PREFERRED = '[role="grid"], [role="treegrid"], [data-focus-home]';
const FOCUSABLE = `${PREFERRED}, input:not(:disabled), button:not(:disabled):not([tabindex="-1"]), [role="tab"][aria-selected="true"]`;
const LIST = 'main :is([role="grid"], [role="treegrid"])';
/** In order of preference: the elements that get the focus at the start, and when the whole part of the window was removed. */
const PLACES = [
  LIST,
  'main [role="tab"][aria-selected="true"]',
  'main input:not(:disabled)',
  'main button:not(:disabled)',
  'nav button',
];

/**
 * Keeps the keyboard usable: when the focused element is removed, hidden or disabled, such as a button whose command no longer
 * applies, its part of the window gets the focus, otherwise the list of the view.
 */
export function useFocusGuard(): void {
  useEffect(() => {
    let last: Element | null = null;
    let regions: Element[] = [];
    let timer: number | null = null;
    const startedAt = performance.now();
    const onFocus = (event: FocusEvent) => {
      last = event.target instanceof Element ? event.target : null;
      regions = regionsOf(last);
    };
    const rescue = () => {
      timer = null;
      if (last === null && placeOf(LIST) === null && performance.now() - startedAt < LIST_COMES_MS) {
        timer = window.setTimeout(rescue, SETTLES_MS);
        return;
      }
      if (isLost(last)) (placeIn(regions) ?? anyPlace())?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver((changes) => {
      // An element that a style hides keeps the focus until the window is drawn the next time.
      const mayHide = changes.some(({ attributeName }) => attributeName === 'data-open');
      if (timer === null && (mayHide || isLost(last))) timer = window.setTimeout(rescue, SETTLES_MS);
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      // `data-open` shows one part of a narrow view instead of another.
      attributeFilter: ['disabled', 'inert', 'hidden', 'data-open'],
    });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
      if (timer !== null) window.clearTimeout(timer);
    };
  }, []);
}

/** Gives the focus to the list of the view, unless an element has it already. The guard does so for a list that appears later. */
export function focusView(): void {
  if (document.activeElement === document.body) placeOf(LIST)?.focus({ preventScroll: true });
}

function regionsOf(element: Element | null): Element[] {
  const regions: Element[] = [];
  for (let at = element?.closest(REGIONS) ?? null; at !== null; at = at.parentElement?.closest(REGIONS) ?? null) {
    regions.push(at);
  }
  return regions;
}

function placeIn(regions: readonly Element[]): HTMLElement | null {
  for (const region of regions) {
    if (!region.isConnected || region.matches('[data-exiting], [data-exiting] *')) continue;
    const places = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((each) => each.checkVisibility());
    const place = places.find((each) => each.matches(PREFERRED)) ?? places[0];
    if (place !== undefined) return place;
  }
  return null;
}

/** Returns the first element of a selector that can have the focus now. */
function placeOf(selector: string): HTMLElement | null {
  const places = [...document.querySelectorAll<HTMLElement>(selector)];
  return places.find((place) => place.checkVisibility() && place.closest('[inert]') === null) ?? null;
}

function anyPlace(): HTMLElement | null {
  return PLACES.map(placeOf).find((place) => place !== null) ?? null;
}

/**
 * Returns whether no element has the focus because none had it yet, or because the focused one was removed, hidden or disabled.
 * After a click on an empty area the focus is not lost.
 */
function isLost(last: Element | null): boolean {
  if (document.activeElement !== document.body) return false;
  return last === null || !last.isConnected || last.matches(':disabled, [inert] *') || !last.checkVisibility();
}
