import { useEffect, useState } from 'react';

/**
 * Returns a value with a delay: it changes when the given value did not change for `delayMs` milliseconds, or when `settle` is
 * called, such as when the user leaves a field.
 */
export function useSettled<T>(value: T, delayMs: number): { settled: T; settle: () => void } {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), delayMs);
    return () => window.clearTimeout(timer);
  }, [value, delayMs]);
  return { settled, settle: () => setSettled(value) };
}
