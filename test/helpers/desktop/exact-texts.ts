// Texts with half characters in the window: what Playwright sends and receives replaces them, so they travel as JSON escapes.
import type { Locator, Page } from 'playwright';

/** Replaces the text of a field as a paste does, and returns what the field contains then. */
export async function pasteInto(field: Locator, text: string): Promise<string> {
  const value = await field.evaluate((element, json) => {
    const input = element as HTMLInputElement | HTMLTextAreaElement;
    input.focus();
    if (document.activeElement !== input) throw new Error('The field can’t have the focus.');
    input.select();
    const given: string = JSON.parse(json);
    document.execCommand(given === '' ? 'delete' : 'insertText', false, given);
    return JSON.stringify(input.value);
  }, JSON.stringify(text));
  return JSON.parse(value);
}

/** Does so with one text after the other, and returns what the field contained each time after the next frame. */
export async function pasteEach(field: Locator, texts: readonly string[]): Promise<string[]> {
  const values = await field.evaluate(async (element, json) => {
    const input = element as HTMLInputElement | HTMLTextAreaElement;
    const seen: string[] = [];
    for (const text of JSON.parse(json) as string[]) {
      input.focus();
      if (document.activeElement !== input) throw new Error('The field can’t have the focus.');
      input.select();
      document.execCommand('insertText', false, text);
      await new Promise(requestAnimationFrame);
      seen.push(input.value);
    }
    input.select();
    document.execCommand('delete');
    return JSON.stringify(seen);
  }, JSON.stringify(texts));
  return JSON.parse(values);
}

/** The text of a field. */
export async function exactValue(field: Locator): Promise<string> {
  return JSON.parse(await field.evaluate((element) => JSON.stringify((element as HTMLInputElement).value)));
}

/** Asks the engine through the window's bridge. Throws what it refuses. */
export async function askExactly<T>(page: Page, name: string, input: unknown): Promise<T> {
  const reply = await page.evaluate(
    async ([call, json]) => {
      const { mediadesk } = window as unknown as {
        mediadesk: { call(name: string, input: unknown): Promise<unknown> };
      };
      return JSON.stringify(await mediadesk.call(call, JSON.parse(json)));
    },
    [name, JSON.stringify(input)] as const,
  );
  const { ok, value, error } = JSON.parse(reply) as { ok: boolean; value: T; error: { code: string; message: string } };
  if (!ok) throw new Error(`${name}: ${error.code}: ${error.message}`);
  return value;
}
