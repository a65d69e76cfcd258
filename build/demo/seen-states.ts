// Which states the window showed for each file, in order, as a person would have seen them.
import type { Page } from 'playwright';

interface Watcher {
  seen: Record<string, string[]>;
}

/**
 * Starts to note the states of rows that name one of `fileNames`. Each painted change is looked at, so nothing that
 * stayed for a frame is missed.
 */
export async function watchStates(page: Page, fileNames: readonly string[]): Promise<void> {
  await page.evaluate((names) => {
    const watcher: Watcher = { seen: {} };
    (window as unknown as { demoWatcher: Watcher }).demoWatcher = watcher;
    const note = () => {
      for (const chip of document.querySelectorAll('[role="row"] [data-state]')) {
        const text = chip.closest('[role="row"]')?.textContent ?? '';
        const name = names.find((each) => text.includes(each));
        const state = chip.getAttribute('data-state');
        if (name === undefined || state === null) continue;
        watcher.seen[name] ??= [];
        if (watcher.seen[name].at(-1) !== state) watcher.seen[name].push(state);
      }
    };
    new MutationObserver(note).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ['data-state'],
    });
    note();
  }, fileNames);
}

/** States seen so far, by file name. */
export function seenStates(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(() => (window as unknown as { demoWatcher: Watcher }).demoWatcher.seen);
}
