import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';

/** Saves numbered pictures of windows into one folder. */
export class Screens {
  readonly #dir: string;
  #count = 0;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async take(page: Page, name: string): Promise<void> {
    await mkdir(this.#dir, { recursive: true });
    this.#count += 1;
    const file = `${String(this.#count).padStart(2, '0')}-${name}.png`;
    await page.screenshot({ path: join(this.#dir, file), animations: 'disabled', caret: 'hide' });
  }
}
