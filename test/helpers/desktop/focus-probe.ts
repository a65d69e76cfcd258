// Where the focus is in a window, and what the window cuts off.
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** Questions about the focus of a page. `page` is called for each, because a test may open the app again. */
export function createFocusProbe(page: () => Page) {
  /** What has the focus, for the messages of failures: `button “Schedule…”`. */
  function focused(): Promise<string> {
    return page().evaluate(() => {
      const active = document.activeElement;
      if (active === null || active === document.body) return 'nothing';
      return `${active.getAttribute('role') ?? active.tagName.toLowerCase()} “${active.getAttribute('aria-label') ?? active.textContent?.trim().slice(0, 40) ?? ''}”`;
    });
  }

  /** Waits until an element has the focus. */
  async function whenFocused(target: Locator): Promise<void> {
    await target.waitFor();
    await expect
      .poll(async () => ((await target.evaluate((element) => element === document.activeElement)) ? 'it' : focused()))
      .toBe('it');
  }

  /** Waits until the focus has settled, and fails when it is on nothing. */
  async function expectFocus(): Promise<void> {
    await expect.poll(focused, { timeout: 3_000 }).not.toBe('nothing');
  }

  /** Records every moment without focus while `work` runs: the longest one in milliseconds. */
  async function longestWithoutFocus(work: () => Promise<void>): Promise<number> {
    await page().evaluate(() => {
      const page = globalThis as unknown as { lost: { since: number | null; longest: number; timer: number } };
      page.lost = { since: null, longest: 0, timer: 0 };
      const look = () => {
        const { lost } = page;
        if (document.activeElement !== document.body) lost.since = null;
        else {
          lost.since ??= performance.now();
          lost.longest = Math.max(lost.longest, performance.now() - lost.since);
        }
        lost.timer = requestAnimationFrame(look);
      };
      look();
    });
    await work();
    return page().evaluate(() => {
      const { lost } = globalThis as unknown as { lost: { longest: number; timer: number } };
      cancelAnimationFrame(lost.timer);
      return Math.round(lost.longest);
    });
  }

  return { focused, whenFocused, expectFocus, longestWithoutFocus };
}

/** Elements that reach over an edge of the window where no one can scroll to them. */
export function cutOffIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element): boolean => {
      for (let at = element.parentElement; at !== null; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        if (/auto|scroll/.test(overflowX + overflowY)) return true;
      }
      return false;
    };
    // Text for screen readers only, of ours and of the component library.
    const isClipped = (element: Element): boolean => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        if (at.matches('.visually-hidden') || getComputedStyle(at).clipPath === 'inset(50%)') return true;
      }
      return false;
    };
    return [...document.querySelectorAll<HTMLElement>('button, input, a, h1, h2, [role="tab"], [role="radio"]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !isClipped(element))
      .filter((element) => {
        const { left, right, bottom, width } = element.getBoundingClientRect();
        const isOutside = right > innerWidth + 1 || left < -1 || (bottom > innerHeight + 1 && !scrolls(element));
        return width > 1 && isOutside;
      })
      .map(
        (element) =>
          `${element.tagName} ${element.getAttribute('aria-label') ?? (element.textContent?.slice(0, 30) || element.outerHTML.slice(0, 200))}`,
      );
  });
}
