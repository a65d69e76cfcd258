// The states that the window showed for each upload, in order.
import type { Page } from 'playwright';

type Seen = Record<string, string[]>;

/** Starts to record the states of all rows of the queue that are painted, at every change of the page. */
export async function watchStates(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Seen = {};
    (window as unknown as { seenStates: Seen }).seenStates = seen;
    const note = () => {
      for (const row of document.querySelectorAll<HTMLElement>('[data-upload-id][data-state]')) {
        const { uploadId = '', state = '' } = row.dataset;
        seen[uploadId] ??= [];
        if (seen[uploadId].at(-1) !== state) seen[uploadId].push(state);
      }
    };
    const watched = { subtree: true, childList: true, attributes: true, attributeFilter: ['data-state'] };
    new MutationObserver(note).observe(document.body, watched);
    note();
  });
}

/** Returns the states seen so far, by the id of the upload. */
export function seenStates(page: Page): Promise<Seen> {
  return page.evaluate(() => (window as unknown as { seenStates: Seen }).seenStates);
}
