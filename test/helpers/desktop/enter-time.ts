import type { Locator } from 'playwright';

/**
 * Enters a date (`2031-10-26`), a time of day (`02:30`) or both (`2031-10-26T02:30`) into a field by its parts, in the order in
 * which the field shows them. An empty value clears all parts.
 */
export async function enterTime(field: Locator, value: string): Promise<void> {
  const parts = field.getByRole('spinbutton');
  if (value === '') {
    for (const part of await parts.all()) {
      await part.focus();
      for (let digits = 0; digits < 4; digits += 1) await part.press('Backspace');
    }
    return;
  }
  const [, year, month, day, hour = '', minute] = /^(?:(\d{4})-(\d\d)-(\d\d))?T?(?:(\d\d):(\d\d))?$/.exec(value) ?? [];
  const texts: Record<string, string | undefined> = { year, month, day, hour, minute };
  const types = await parts.evaluateAll((elements) => elements.map((element) => element.dataset.type ?? ''));
  if (types.includes('dayPeriod')) {
    texts.dayPeriod = Number(hour) < 12 ? 'a' : 'p';
    texts.hour = String(Number(hour) % 12 || 12).padStart(2, '0');
  }
  for (const [index, type] of types.entries()) {
    await parts.nth(index).focus();
    await parts.nth(index).pressSequentially(texts[type] ?? '');
  }
}
