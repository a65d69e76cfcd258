import { useEffect, useState } from 'react';

/**
 * Returns a value with a delay: it follows when it did not change for a while (`delayMs`, in milliseconds), or when `settle`
 * is called, such as when the user leaves a field.
 */
export function useSettled<T>(value: T, delayMs: number): { settled: T; settle: () => void } {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), delayMs);
    return () => window.clearTimeout(timer);
  }, [value, delayMs]);
  return { settled, settle: () => setSettled(value) };
}
