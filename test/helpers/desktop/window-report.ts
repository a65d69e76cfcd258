// What the windows of a failed test showed, so that a failure on another machine can be explained from its output.
import type { Page } from 'playwright';

const MOST_CHARACTERS = 6_000;
const WITHIN_MS = 10_000;

const windows = new Set<Page>();

/** Adds a window to those that `reportWindows` describes until it closes. */
export function watchWindow(page: Page): void {
  windows.add(page);
  page.once('close', () => windows.delete(page));
}

/** Writes what each open window shows, and which element has the focus, to stderr. */
export async function reportWindows(testName: string): Promise<void> {
  for (const page of windows) {
    const report = await describeWindow(page).catch((error: unknown) => `it can't be read: ${String(error)}`);
    console.error(`The window when “${testName}” failed:\n${report}`);
  }
}

async function describeWindow(page: Page): Promise<string> {
  const content = await page.locator('body').ariaSnapshot({ timeout: WITHIN_MS });
  const focus = await page.locator('*:focus').evaluateAll((elements) => elements.map((element) => element.outerHTML));
  return `${content.slice(0, MOST_CHARACTERS)}\nFocus: ${focus.join('').slice(0, 300) || 'none'}`;
}

/**
 * Slows down the scripts of a window by the factor in MEDIADESK_TEST_SLOW, which finds tests that depend on the speed of the
 * machine. Without the variable, nothing changes.
 */
export async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env.MEDIADESK_TEST_SLOW ?? 1);
  if (rate <= 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}
