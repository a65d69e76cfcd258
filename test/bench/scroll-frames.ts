import type { Page } from 'playwright';

export const FRAMES = 600;

/** Times from frame to frame, in milliseconds. */
export interface Frames {
  p50: number;
  p95: number;
  longest: number;
  /** Frames in which something was still a placeholder. */
  placeholders: number;
}

/**
 * Scrolls an element by some pixels at each frame, down and up again at the end. `placeholder`: the selector of rows that
 * are not loaded yet. Times are rounded to 0.1 ms, the resolution of the clock of a window.
 */
export function scrollFrames(
  page: Page,
  selector: string,
  pixels: number,
  placeholder = '[data-loading]',
): Promise<Frames> {
  return page.evaluate(
    ([scroller, step, frames, loading]) =>
      new Promise<Frames>((resolve) => {
        const element = document.querySelector<HTMLElement>(scroller) as HTMLElement;
        const times: number[] = [];
        let placeholders = 0;
        let direction = 1;
        let last: number | null = null;
        const next = (now: number) => {
          if (last !== null) times.push(Math.round(10 * (now - last)) / 10);
          last = now;
          if (element.querySelector(loading) !== null) placeholders += 1;
          if (times.length >= frames) {
            times.sort((a, b) => a - b);
            const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
            resolve({ p50: at(0.5), p95: at(0.95), longest: at(1), placeholders });
            return;
          }
          const before = element.scrollTop;
          element.scrollTop += step * direction;
          if (step > 0 && element.scrollTop === before) direction = -direction;
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    [selector, pixels, FRAMES, placeholder] as const,
  );
}

/** Frames, with the number of elements and the processor time. */
export interface MeasuredFrames extends Frames {
  /** Elements in the page at the end. */
  elements: number;
  /** Processor time of the page's main thread per frame, in milliseconds: it hardly depends on what else the computer does. */
  work: number;
}

/** Scrolls like `scrollFrames`, and also measures the elements and the processor time per frame. */
export async function measureScroll(
  page: Page,
  selector: string,
  pixels: number,
  placeholder?: string,
): Promise<MeasuredFrames> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const seconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const before = await seconds();
  const frames = await scrollFrames(page, selector, pixels, placeholder);
  const elements = await page.evaluate(() => document.getElementsByTagName('*').length);
  const work = (1000 * ((await seconds()) - before)) / FRAMES;
  await devtools.detach();
  return { ...frames, elements, work };
}
