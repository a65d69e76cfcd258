import { z } from 'zod';
import { jsonMembersAt } from './json-members.ts';

/**
 * One extra field of an upload form: name and value. Fields are a list, because their order can be signed and names can
 * repeat; an object would also lose a field `__proto__`, and move a field `7` to the front.
 */
export type FormField = readonly [name: string, value: string];

/**
 * `upload_post_params`: the documented object; an empty list, which several languages write for an empty object; or the
 * list of fields itself. An object's fields come in the order of `Object.entries`, which can differ from that of the JSON text:
 * see `orderedFormFields`.
 */
export const formFieldsSchema = z
  .unknown()
  .nullish()
  .transform((value, context): readonly FormField[] => {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value)) {
      const fields = value.filter(isField);
      if (fields.length === value.length) return fields;
    } else if (typeof value === 'object') {
      return Object.entries(value).map(([name, each]): FormField => [name, textOf(each)]);
    }
    context.addIssue('form fields are not an object');
    return z.NEVER;
  });

/** Returns the fields of the object at `path` in a valid JSON text, in the order of the text. Null: no object is at `path`. */
export function orderedFormFields(text: string, path: readonly string[]): FormField[] | null {
  return jsonMembersAt(text, path)?.map(({ name, source }): FormField => [name, textOfSource(source)]) ?? null;
}

function isField(value: unknown): value is FormField {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}

/** Returns a string unchanged; null as an empty value; everything else as its JSON text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

/** Returns the value of a JSON source text, in which a number keeps all of its digits. */
function textOfSource(source: string): string {
  if (source.startsWith('"')) return JSON.parse(source) as string;
  return source === 'null' ? '' : source;
}
