import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { assignSlots, type RowSlot, sortSlots } from '../../lists/row-slots.ts';

/** How long after the last change the elements get the order of their rows. */
const SETTLES_MS = 150;

/**
 * Returns the elements that show the rows `first..last` (both included) of a long list: an element whose row is no longer visible
 * shows a new one. When the list does not move, the elements are in the order of their rows.
 */
export function useRowSlots(first: number, last: number): readonly RowSlot[] {
  const before = useRef<readonly RowSlot[]>([]);
  const [settled, setSettled] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `settled` changes when `before` was put in order
  const slots = useMemo(() => assignSlots(before.current, first, last), [first, last, settled]);
  useLayoutEffect(() => {
    before.current = slots;
  }, [slots]);
  useEffect(() => {
    if (sortSlots(slots) === slots) return;
    const timer = window.setTimeout(() => {
      before.current = sortSlots(slots);
      setSettled((count) => count + 1);
    }, SETTLES_MS);
    return () => window.clearTimeout(timer);
  }, [slots]);
  return slots;
}
