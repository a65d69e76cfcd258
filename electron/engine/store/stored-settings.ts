import type { z } from 'zod';
import { appError } from '../../../shared/contract/app-error.ts';
import { withChanges } from '../../../shared/model/keep-unknown.ts';
import type { Logger } from '../ports/logger.ts';

/** Texts by name; null for a name that was never set. Durable when `set` returns. */
export interface SettingTexts {
  get(name: string): string | null;
  set(name: string, value: string): void;
}

interface Entry<T> {
  raw: unknown;
  /** The part that this version can read; null: none. */
  value: T | null;
}

/**
 * Lists and objects that a profile stores as JSON under a name. Another version of Mediadesk may have written them: an entry or a
 * member that this version can't read is reported in the log and stays stored unchanged. A text that is no JSON of the expected
 * shape counts as missing; before it is replaced, it is copied to the name with the suffix ` unreadable 1` (2, 3 …).
 */
export class StoredSettings {
  readonly #texts: SettingTexts;
  readonly #logger: Pick<Logger, 'warn'>;
  /** The texts whose problems are in the log, by name. A list is read often, and each text is logged once. */
  readonly #reported = new Map<string, string>();

  constructor(texts: SettingTexts, logger: Pick<Logger, 'warn'>) {
    this.#texts = texts;
    this.#logger = logger;
  }

  /** Returns the entries of a list that this version can read; null when no list is stored. */
  list<T>(name: string, schema: z.ZodType<T>): T[] | null {
    const entries = this.#entries(name, schema);
    if (entries?.some(({ value }) => value === null)) this.#report(name, 'settings.not-understood');
    return entries?.flatMap(({ value }) => value ?? []) ?? null;
  }

  /** Stores a list. Entries that this version can't read keep their positions, counted from the start. */
  setList<T extends { id: string }>(name: string, schema: z.ZodType<T>, values: readonly T[]): void {
    const entries = this.#entries(name, schema);
    if (entries === null) this.#keepUnreadable(name);
    const stored = new Map(entries?.flatMap(({ raw, value }) => (value === null ? [] : [[value.id, { raw, value }]])));
    const written = values.map((value) => {
      const before = stored.get(value.id);
      return before === undefined ? value : withChanges(before.raw, before.value, value);
    });
    for (const [index, { raw, value }] of (entries ?? []).entries()) if (value === null) written.splice(index, 0, raw);
    this.#texts.set(name, JSON.stringify(written));
  }

  /** Returns the members of an object that this version can read. */
  object<Shape extends z.ZodRawShape>(name: string, schema: z.ZodObject<Shape>): Partial<z.output<z.ZodObject<Shape>>> {
    const raw = this.#object(name) ?? {};
    const values: Record<string, unknown> = {};
    for (const [member, memberSchema] of Object.entries(schema.shape)) {
      if (!Object.hasOwn(raw, member)) continue;
      const checked = (memberSchema as z.ZodType).safeParse(raw[member]);
      if (checked.success) values[member] = checked.data;
      else this.#logger.warn('settings.not-understood', { name: member });
    }
    return values as Partial<z.output<z.ZodObject<Shape>>>;
  }

  /** Stores some members of an object without changing the others. */
  setObject(name: string, members: Readonly<Record<string, unknown>>): void {
    const raw = this.#object(name);
    if (raw === null) this.#keepUnreadable(name);
    this.#texts.set(name, JSON.stringify({ ...raw, ...members }));
  }

  /** Removes a value with the copies of its unreadable texts. */
  remove(name: string): void {
    for (const each of [name, ...this.#copies(name).map((copy) => copy.name)]) {
      if ((this.#texts.get(each) ?? '') !== '') this.#texts.set(each, '');
    }
  }

  #entries<T>(name: string, schema: z.ZodType<T>): Entry<T>[] | null {
    const list = this.#parsed(name, Array.isArray);
    return list?.map((raw: unknown) => ({ raw, value: schema.safeParse(raw).data ?? null })) ?? null;
  }

  #object(name: string): Record<string, unknown> | null {
    return this.#parsed(
      name,
      (value): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value),
    );
  }

  /** Returns the parsed value; null: nothing is stored, or it is unreadable. */
  #parsed<T>(name: string, isExpected: (value: unknown) => value is T): T | null {
    const text = this.#texts.get(name) ?? '';
    if (text === '') return null;
    const value = jsonOf(text);
    if (isExpected(value)) return value;
    this.#report(name, 'settings.unreadable', { code: appError('profile.setting-unreadable').code });
    return null;
  }

  #report(name: string, event: string, fields: Record<string, unknown> = {}): void {
    const text = this.#texts.get(name) ?? '';
    if (this.#reported.get(name) === text) return;
    this.#reported.set(name, text);
    this.#logger.warn(event, { name, ...fields });
  }

  #keepUnreadable(name: string): void {
    const text = this.#texts.get(name) ?? '';
    if (text === '') return;
    const copies = this.#copies(name);
    if (copies.some((copy) => copy.text === text)) return;
    const free = copies.find((copy) => copy.text === '')?.name ?? copyName(name, copies.length + 1);
    this.#texts.set(free, text);
  }

  #copies(name: string): { name: string; text: string }[] {
    const copies: { name: string; text: string }[] = [];
    for (let number = 1; ; number += 1) {
      const text = this.#texts.get(copyName(name, number));
      if (text === null) return copies;
      copies.push({ name: copyName(name, number), text });
    }
  }
}

function copyName(name: string, number: number): string {
  return `${name} unreadable ${number}`;
}

/** Returns the parsed text; undefined: it is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
