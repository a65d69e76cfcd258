import { useEffect, useState } from 'react';

/** Returns the time in epoch milliseconds; updates it every second, or every `everyMs`, while `isTicking`. */
export function useNow(isTicking: boolean, everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    setNow(Date.now());
    const timer = window.setInterval(() => setNow(Date.now()), everyMs);
    return () => window.clearInterval(timer);
  }, [isTicking, everyMs]);
  return now;
}

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
