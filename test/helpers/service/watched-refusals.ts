import { expect } from 'vitest';
import type { ServiceClient } from './service-client.ts';

/** The answers to impossible requests that the API and the service's README document. */
const REFUSALS = [400, 403, 404, 409, 413, 422];

/** Sends requests that may be malformed, and checks everything that they could have changed. */
export interface Watcher {
  /**
   * Expects a success, or a documented refusal with a message; after a refusal, everything at the watched paths must be
   * unchanged. Resolves with the status.
   */
  post(path: string, body: unknown, watched: readonly string[], what: string): Promise<number>;
}

export function watcherOf(client: ServiceClient): Watcher {
  const before = new Map<string, string>();
  const read = async (path: string) => (await client.get(path)).text;
  return {
    async post(path, body, watched, what) {
      for (const each of watched) if (!before.has(each)) before.set(each, await read(each));
      const { status, text, body: answer } = await client.post(path, body);
      if (status >= 200 && status < 300) {
        before.clear();
        return status;
      }
      expect(REFUSALS, `${what}: ${status} ${text.slice(0, 200)}`).toContain(status);
      expect(typeof answer.message, what).toBe('string');
      if (status === 422) expect(answer.errors.length, what).toBeGreaterThan(0);
      for (const each of watched) expect(await read(each), `${each} after ${what}`).toBe(before.get(each));
      return status;
    },
  };
}
