// Forms of the window that are given hostile texts.
import type { Locator } from 'playwright';
import { expect } from 'vitest';
import { exactValue, pasteEach, pasteInto } from './exact-texts.ts';

/** The fields of a form that refuse what is in them, by their labels, and what they say. */
export async function refusals(form: Locator): Promise<Record<string, string>> {
  const found = await form.locator('input[aria-invalid="true"], textarea[aria-invalid="true"]').evaluateAll((fields) =>
    fields.map((field) => {
      const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
      const message = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
      const label = (field as HTMLInputElement).labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? '';
      return [label, message.trim()] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** Pastes each text into a field, which must show it as it is, as far as it has room. Leaves the field empty. */
export async function showsEach(field: Locator, texts: readonly string[]): Promise<void> {
  const values = await pasteEach(field, texts);
  const most = Number((await field.getAttribute('maxlength')) ?? Number.POSITIVE_INFINITY);
  expect(values).toEqual(texts.map((text) => text.slice(0, most)));
}

/** Whether a field is the HTML of a description, which keeps blanks at its ends. */
function isSource(label: string): boolean {
  return label.endsWith('(HTML source)');
}

/** The text for the field with a number in a round, so that each text is in some field in one of the rounds. */
export function textOf(texts: readonly string[], fields: number, round: number, field: number): string {
  return texts[(round * fields + field) % texts.length] ?? '';
}

/**
 * Pastes texts into the fields of a dialog with these labels, which must contain what `has` says, and saves. A field that
 * refuses its text must say why, and gets its old value. When the dialog is closed, `has` contains what the fields had, without
 * blanks at both ends unless it is HTML.
 */
export async function saveOrRestore<T extends Record<string, string>>(
  form: Locator,
  texts: Readonly<Record<keyof T, string>>,
  has: T,
): Promise<T> {
  const field = (label: string) => form.getByLabel(label, { exact: true });
  const about = JSON.stringify(texts).slice(0, 300);
  const typed: Record<string, string> = {};
  for (const [label, value] of Object.entries(has)) {
    // A form shows no-break spaces as spaces.
    const shown = (await exactValue(field(label))).replaceAll('\u00a0', ' ');
    expect(shown, `${label} before ${about}`).toBe(value.replaceAll('\u00a0', ' '));
    const pasted = await pasteInto(field(label), texts[label] ?? '');
    typed[label] = isSource(label) ? pasted : pasted.trim();
  }
  const save = form.getByRole('button', { name: 'Save', exact: true });
  for (;;) {
    if (await save.isEnabled()) await save.click();
    else if (Object.keys(await refusals(form)).length === 0) {
      // Nothing is left to save.
      await form
        .getByRole('button', { name: /^(?:Cancel|Close)$/ })
        .last()
        .click();
    }
    await expect
      .poll(async () => (await form.count()) === 0 || Object.keys(await refusals(form)).length > 0, {
        message: `saved, or refused at a field: ${about}`,
      })
      .toBe(true);
    const refused = (await form.count()) === 0 ? {} : await refusals(form);
    if (Object.keys(refused).length === 0) break;
    for (const [label, message] of Object.entries(refused)) {
      expect(message, `what ${label} says about ${about}`).not.toBe('');
      typed[label] = has[label] ?? '';
      await pasteInto(field(label), typed[label]);
    }
  }
  await form.waitFor({ state: 'detached' });
  return Object.assign(has, typed);
}
