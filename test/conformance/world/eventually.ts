import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../suite/failure.ts';

const STEP_MS = 50;
const MAX_STEP_MS = 1000;

/** Calls a function repeatedly until it returns a value; throws a `Failure` after the time limit. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>, limitMs = 15_000): Promise<T> {
  const endAt = performance.now() + limitMs;
  for (let stepMs = STEP_MS; ; stepMs = Math.min(stepMs * 1.5, MAX_STEP_MS)) {
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > endAt) throw new Failure(`Waited ${limitMs / 1000} s for ${what}, in vain.`);
    await delay(stepMs);
  }
}
