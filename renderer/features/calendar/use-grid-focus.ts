import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { useCalendar } from './state/calendar-store.ts';

/**
 * Moves the keyboard focus to the current place of the calendar when a command asks for it while the grid has the focus, and when
 * the element with the focus was removed, such as an item that is on another day now. Returns the handlers of the element around the
 * grid.
 */
export function useGridFocus(box: RefObject<HTMLElement | null>) {
  const requests = useCalendar((state) => state.focusRequests);
  const loaded = useCalendar((state) => state.loaded);
  const place = useCalendar((state) => state.place);
  const rangeKey = useCalendar((state) => state.range.key);
  const done = useRef(requests);
  const tried = useRef(requests);
  const hasFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other items or at another place, other elements are shown
  useLayoutEffect(() => {
    const current = box.current?.querySelector<HTMLElement>('[data-current]') ?? null;
    const isLost = hasFocus.current && document.activeElement === document.body;
    if (current === null || (done.current === requests && !isLost)) return;
    const { activeElement } = document;
    if (activeElement !== document.body && box.current?.contains(activeElement) === false) {
      // The user is elsewhere in the meantime, such as in a field of the inspector.
      done.current = requests;
      return;
    }
    // An item that is not loaded yet can't get the focus. Its slot gets it only if the item is not shown after the load either.
    const isAwaited = place.itemId !== null && current.matches('[role="gridcell"]');
    if (isAwaited && tried.current !== requests) {
      tried.current = requests;
      return;
    }
    current.focus({ preventScroll: true });
    current.scrollIntoView({ block: 'nearest' });
    done.current = requests;
  }, [requests, loaded, place]);
  // A low window does not show all weeks at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other days are shown
  useLayoutEffect(() => {
    box.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest' });
  }, [rangeKey]);
  return {
    onFocus: () => {
      hasFocus.current = true;
    },
    onBlur: ({ target, relatedTarget }: FocusEvent) => {
      // When the element with the focus is removed, no other element gets the focus.
      const isRemoved = relatedTarget === null && !target.isConnected;
      hasFocus.current = isRemoved || box.current?.contains(relatedTarget) === true;
    },
  };
}
