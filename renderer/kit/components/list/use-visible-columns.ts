import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';
import { visibleColumns } from '../../lists/visible-columns.ts';

/**
 * Returns the columns of a table that are drawn now: the same array while they are the same. `width`: of the visible part of the
 * table. `offset`: the width of the content before the first column.
 */
export function useVisibleColumns(
  scroller: RefObject<HTMLElement | null>,
  widths: readonly number[],
  { width, offset }: { width: number; offset: number },
): readonly number[] {
  const [drawn, setDrawn] = useState<readonly number[]>(() => [...widths.keys()]);
  const key = widths.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal widths come in a new array each time
  const update = useCallback(() => {
    const left = scroller.current?.scrollLeft ?? 0;
    const next = visibleColumns(widths, { left, width, offset });
    setDrawn((before) => (before.join() === next.join() ? before : next));
  }, [scroller, key, width, offset]);
  useLayoutEffect(() => {
    const element = scroller.current;
    update();
    element?.addEventListener('scroll', update, { passive: true });
    return () => element?.removeEventListener('scroll', update);
  }, [scroller, update]);
  return drawn;
}
