// Accessibility scans of the real window with axe-core.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, NodeResult, Result } from 'axe-core';
import type { Page } from 'playwright';
import { ask } from '../../../build/demo/window-steps.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All rules of WCAG 2.2 A and AA and the best practices; `target-size` is not active by default. */
const ALL = { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations', 'incomplete'] };
/** The rules whose result a change of the theme alone can change. */
const COLORS = { runOnly: ['color-contrast'], resultTypes: ['violations', 'incomplete'] };

/**
 * Rules for the page behind a dialog, which is hidden from assistive technology while the dialog is open. axe leaves them out
 * itself when it finds the dialog at the places that it samples; in a small window a message can cover these.
 */
const PAGE_RULES: ReadonlySet<string> = new Set(['landmark-one-main', 'page-has-heading-one']);

/**
 * Scans the page in both themes: with all rules in light, and with those that depend on colors in dark, which it leaves active.
 * Each finding begins with the theme.
 */
export async function axeFindingsInThemes(page: Page): Promise<string[]> {
  const findings: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await ask(page, 'shell.setTheme', { theme });
    await page.waitForFunction((wanted) => matchMedia(`(prefers-color-scheme: ${wanted})`).matches, theme);
    const found = await axeFindings(page, theme === 'light' ? 'all' : 'colors');
    findings.push(...found.map((finding) => `${theme}: ${finding}`));
  }
  return findings;
}

/**
 * Returns what axe reports about the page: its violations, and what it could not decide (`incomplete`), unless a measurement of
 * the page proves that it holds. The script comes in through the debugger, which the content security policy does not cover.
 */
export async function axeFindings(page: Page, what: 'all' | 'colors'): Promise<string[]> {
  // A page keeps the script: to compile it anew takes longer than some scans.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  // While a dialog appears, axe can't decide whether it is visible, and colors in transition would be measured half-way.
  // Animations that repeat never finish.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().iterations === 1);
    await Promise.allSettled(ending.map((each) => each.finished));
  });
  for (let scans = 1; ; scans += 1) {
    const { results, hasChanged } = await scan(page, what === 'all' ? ALL : COLORS);
    const findings = await findingsOf(page, results);
    if (findings.length === 0 || !hasChanged || scans === MOST_SCANS) return findings;
  }
}

/** Scans of a page that changes all the time are not repeated for ever: the last one counts. */
const MOST_SCANS = 4;

/**
 * Runs axe. `hasChanged`: the page changed meanwhile. axe reads it at the start and judges it later, so an element that React
 * replaced in between has, for example, no previous heading.
 */
function scan(page: Page, options: object): Promise<{ results: AxeResults; hasChanged: boolean }> {
  return page.evaluate(async (given) => {
    const { axe } = globalThis as unknown as { axe: { run(root: Document, options: object): Promise<AxeResults> } };
    let hasChanged = false;
    const observer = new MutationObserver(() => {
      hasChanged = true;
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    const results = await axe.run(document, given);
    hasChanged ||= observer.takeRecords().length > 0;
    observer.disconnect();
    return { results, hasChanged };
  }, options);
}

async function findingsOf(page: Page, { violations, incomplete }: AxeResults): Promise<string[]> {
  const undecided = incomplete.length === 0 ? [] : await withScrollRestored(page, () => measured(page, incomplete));
  const hasDialog = (await page.locator('[role="dialog"], [role="alertdialog"]').count()) > 0;
  const broken = violations.filter(({ id }) => !(hasDialog && PAGE_RULES.has(id)));
  return [...broken.flatMap((each) => lines('violation', each)), ...undecided.flatMap((each) => lines('review', each))];
}

/** Measurements scroll elements into view: afterwards, everything is where it was, and lists show their rows there. */
async function withScrollRestored<T>(page: Page, measure: () => Promise<T>): Promise<T> {
  const scrolled = await page.evaluateHandle(() =>
    [...document.querySelectorAll('*')]
      .filter((each) => each.scrollHeight > each.clientHeight || each.scrollWidth > each.clientWidth)
      .map((element) => ({ element, top: element.scrollTop, left: element.scrollLeft })),
  );
  const result = await measure();
  await scrolled.evaluate(async (all) => {
    for (const { element, top, left } of all) {
      if (element.scrollTop !== top || element.scrollLeft !== left)
        element.scrollTo({ top, left, behavior: 'instant' });
    }
    // While a list renders, its current row can be missing, and a key for that row would be lost. The elements of a list are in
    // the order of its rows when it is at rest; before that, a click on an element found earlier would reach another row.
    const nextFrame = () => new Promise((next) => requestAnimationFrame(next));
    const indexOf = (row: Element) => Number((row as HTMLElement).dataset.index);
    const isInOrder = () =>
      [...document.querySelectorAll('[data-index] + [data-index]')].every(
        (row) => row.previousElementSibling === null || indexOf(row) > indexOf(row.previousElementSibling),
      );
    // One frame for the scroll, and one for what it renders.
    for (let frames = 0; frames < 2; frames += 1) await nextFrame();
    while (!isInOrder()) await nextFrame();
  });
  await scrolled.dispose();
  return result;
}

function lines(kind: string, { id, nodes }: Result): string[] {
  return nodes.map((node) => `${kind} ${id}: ${node.target.join(' ')} ${node.html.slice(0, 140)} | ${reasonOf(node)}`);
}

function reasonOf({ any, all, none }: NodeResult): string {
  return [...any, ...all, ...none]
    .map(({ message }) => message)
    .join(' ')
    .slice(0, 200);
}

/** The measurements that decide what axe leaves open, by its rules. Each returns one answer for each selector. */
const PROOFS: Readonly<Record<string, (page: Page, selectors: string[]) => Promise<boolean[]>>> = {
  'color-contrast': haveContrast,
  'target-size': areLargeTargets,
  'scrollable-region-focusable': areScrolledByTheirGrids,
};

async function measured(page: Page, incomplete: readonly Result[]): Promise<Result[]> {
  const undecided: Result[] = [];
  for (const result of incomplete) undecided.push(await withoutProven(page, result));
  return undecided;
}

async function withoutProven(page: Page, result: Result): Promise<Result> {
  const proven = await PROOFS[result.id]?.(
    page,
    result.nodes.map((node) => String(node.target[0])),
  );
  return { ...result, nodes: result.nodes.filter((_, index) => proven?.[index] !== true) };
}

/** Returns whether a circle of 24 pixels around the center of each element belongs to it alone. */
function areLargeTargets(page: Page, selectors: string[]): Promise<boolean[]> {
  return page.evaluate((targets) => {
    const angles = Array.from({ length: 16 }, (_, index) => (index * Math.PI) / 8);
    return targets.map((target) => {
      const element = document.querySelector(target);
      if (element === null) return false;
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      return angles.every((angle) => {
        const hit = document.elementFromPoint(x + 11.9 * Math.cos(angle), y + 11.9 * Math.sin(angle));
        return hit !== null && element.contains(hit);
      });
    });
  }, selectors);
}

async function areScrolledByTheirGrids(page: Page, selectors: string[]): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const selector of selectors) answers.push(await isScrolledByItsGrid(page, selector));
  return answers;
}

/**
 * Returns whether the keyboard scrolls the rows of a grid: Ctrl+End moves to the last row without selecting it. The focus is
 * restored.
 */
async function isScrolledByItsGrid(page: Page, selector: string): Promise<boolean> {
  const rows = page.locator(selector);
  // From the rows upwards: their selector can contain the grid.
  const grid = rows.locator('xpath=ancestor::*[(@role="grid" or @role="treegrid") and @tabindex="0"]');
  if ((await grid.count()) !== 1) return false;
  const before = await page.evaluateHandle(() => document.activeElement);
  const scrollTop = () => rows.evaluate((element) => element.scrollTop);
  await grid.focus();
  await page.keyboard.press('Control+Home');
  const top = await scrollTop();
  await page.keyboard.press('Control+End');
  const end = await scrollTop();
  await page.keyboard.press('Control+Home');
  await before.evaluate((element) => (element as HTMLElement | null)?.focus());
  return end > top;
}

/**
 * Returns whether the text of each element has a contrast of 4.5:1 with everything that is painted below it: the backgrounds
 * of its ancestors, each blended over the next, and of elements at the same place. Gradients count with all of their colors
 * and those in between. Pseudo-elements that may touch the text count both with and without their backgrounds. Pictures and
 * opacity are not measured: with them, the answer is false.
 */
function haveContrast(page: Page, selectors: string[]): Promise<boolean[]> {
  return page.evaluate((targets) => {
    type Color = [red: number, green: number, blue: number, alpha: number];
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    if (canvas === null) return targets.map(() => false);
    const known = new Map<string, Color>();
    const read = (css: string): Color => {
      const seen = known.get(css);
      if (seen !== undefined) return seen;
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = css;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      const color: Color = [red, green, blue, alpha / 255];
      known.set(css, color);
      return color;
    };
    const over = (top: Color, below: Color): Color => {
      const mix = (index: 0 | 1 | 2) => top[index] * top[3] + below[index] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const luminance = ([red, green, blue]: Color) => {
      const linear = (value: number) =>
        value <= 0.04045 * 255 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    };
    const ratio = (one: Color, other: Color) => {
      const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    };
    /** The colors that a layer of the page can have over each of the colors below it. */
    const painted = ({ backgroundColor, backgroundImage }: CSSStyleDeclaration, below: Color[]): Color[] => {
      const plain = below.map((color) => over(read(backgroundColor), color));
      const stops = backgroundImage.match(/(?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\)/g) ?? [];
      return stops.length === 0 ? plain : plain.flatMap((color) => stops.map((stop) => over(read(stop), color)));
    };
    const isMeasured = ({ opacity, backgroundImage }: CSSStyleDeclaration) =>
      opacity === '1' && !/(?:url|image-set|element)\(/.test(backgroundImage);
    const paints = ({ content, backgroundColor, backgroundImage }: CSSStyleDeclaration) =>
      content !== 'none' && content !== 'normal' && (read(backgroundColor)[3] > 0 || backgroundImage !== 'none');
    /** Whether a pseudo-element certainly does not touch the text, such as the underline of a tab. */
    const isBeside = (part: CSSStyleDeclaration, host: Element, text: DOMRect) => {
      if (part.position !== 'absolute' || part.transform !== 'none') return false;
      if (getComputedStyle(host).position === 'static') return false;
      const box = host.getBoundingClientRect();
      const x = box.left + host.clientLeft + Number.parseFloat(part.left);
      const y = box.top + host.clientTop + Number.parseFloat(part.top);
      const [right, bottom] = [x + Number.parseFloat(part.width), y + Number.parseFloat(part.height)];
      return x >= text.right || y >= text.bottom || right <= text.left || bottom <= text.top;
    };
    const hasContrast = (element: Element | null): boolean => {
      if (element === null) return false;
      element.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = element.getBoundingClientRect();
      const stack = document.elementsFromPoint(left + width / 2, top + height / 2);
      if (!stack.includes(element)) return false;
      const range = document.createRange();
      range.selectNodeContents(element);
      const textBox = range.getBoundingClientRect();
      let colors: Color[] = [[255, 255, 255, 1]];
      for (const each of stack.slice(stack.indexOf(element)).reverse()) {
        const own = getComputedStyle(each);
        const parts = ['::before', '::after']
          .map((part) => getComputedStyle(each, part))
          .filter((part) => paints(part) && !isBeside(part, each, textBox));
        if (![own, ...parts].every(isMeasured)) return false;
        colors = painted(own, colors);
        for (const part of parts) colors = [...colors, ...painted(part, colors)];
      }
      const text = read(getComputedStyle(element).color);
      const isDark = colors.map((color) => luminance(over(text, color)) < luminance(color));
      // Between a lighter and a darker color, a gradient has the color of the text.
      return new Set(isDark).size === 1 && colors.every((color) => ratio(over(text, color), color) >= 4.5);
    };
    // What the pointer does not hit is painted as well. One change of the styles for all elements: each costs a layout.
    const sheets = [...document.adoptedStyleSheets];
    const hittable = new CSSStyleSheet();
    hittable.replaceSync('* { pointer-events: auto !important }');
    document.adoptedStyleSheets = [...sheets, hittable];
    try {
      return targets.map((target) => hasContrast(document.querySelector(target)));
    } finally {
      document.adoptedStyleSheets = sheets;
    }
  }, selectors);
}
