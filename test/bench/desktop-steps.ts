// What the scenarios of the background do with the window.
import { ask } from '../../build/demo/window-steps.ts';
import type { CallOutput } from '../../shared/contract/contract.ts';
import type { SignedInApp } from '../helpers/desktop/signed-in-app.ts';

const LONGEST_MS = 3_600_000;

export const sleep = (ms: number) => new Promise((next) => setTimeout(next, ms));

/** Waits until a condition holds; returns the time that this took, in milliseconds. */
export async function until(isTrue: () => Promise<boolean> | boolean, everyMs = 20): Promise<number> {
  const startedAt = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - startedAt > LONGEST_MS) throw new Error('This takes too long.');
    await sleep(everyMs);
  }
  return performance.now() - startedAt;
}

/** Adds files to the top collection. */
export async function addPaths({ page }: Pick<SignedInApp, 'page'>, paths: readonly string[]): Promise<void> {
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  const siteId = site?.id ?? '';
  const [top] = await ask<CallOutput<'library.collections'>>(page, 'library.collections', { siteId, parentId: null });
  await ask(page, 'uploads.add', { siteId, collectionId: top?.id, paths });
}
