import {
  ITEM_FIELD,
  ITEM_FIELDS,
  type ItemField,
  type ItemFields,
  isTextField,
  LONGEST_TAG,
  type TextFieldKey,
} from '../item/fields.ts';
import { cleanTitle } from './title-template.ts';

/** Why values can't be used: a field is empty, has too many characters, or there are too many tags. */
export type ItemFieldProblem = { field: ItemField; kind: 'empty' | 'too-long' | 'too-many' };

/** Values of a call: a field may be present without a value. */
export type GivenItemFields = { [Field in ItemField]?: ItemFields[Field] | undefined };

/** Returns values without the fields that are present but undefined. */
export function definedItemFields(fields: GivenItemFields): Partial<ItemFields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns the values of those fields that `isWanted` accepts. */
export function pickFields(fields: Partial<ItemFields>, isWanted: (field: ItemField) => boolean): Partial<ItemFields> {
  const wanted = ITEM_FIELDS.filter((field) => fields[field] !== undefined && isWanted(field));
  return Object.fromEntries(wanted.map((field) => [field, fields[field]]));
}

/** Returns the first problem of given values; null when an item can be created with them. */
export function itemFieldProblem(fields: GivenItemFields): ItemFieldProblem | null {
  for (const field of ITEM_FIELDS) {
    const value = fields[field];
    if (value === undefined) continue;
    const kind = typeof value === 'string' ? textProblem(field as TextFieldKey, value.trim()) : tagsProblem(value);
    if (kind !== null) return { field, kind };
  }
  return null;
}

/** Returns why a text can't be sent as the value of a field; null when it can. */
export function textProblem(field: TextFieldKey, text: string): 'empty' | 'too-long' | null {
  const { isRequired, most } = ITEM_FIELD[field];
  if (isRequired && cleanTitle(text) === '') return 'empty';
  return text.length > most ? 'too-long' : null;
}

/** Returns why a list can't be the tags of an item; null when it can. */
export function tagsProblem(tags: readonly string[]): ItemFieldProblem['kind'] | null {
  if (tags.length > ITEM_FIELD.tags.most) return 'too-many';
  if (tags.some((tag) => tag.trim() === '')) return 'empty';
  return tags.some((tag) => tag.length > LONGEST_TAG) ? 'too-long' : null;
}

/** Returns values as they are stored and sent: lines have no line breaks and no control characters. */
export function cleanItemFields(fields: Partial<ItemFields>): Partial<ItemFields> {
  const given = ITEM_FIELDS.filter((field) => fields[field] !== undefined);
  return Object.fromEntries(
    given.map((field) => [
      field,
      isTextField(field) ? cleanText(field, fields[field] ?? '') : distinctTags(fields.tags ?? []),
    ]),
  );
}

function cleanText(field: TextFieldKey, text: string): string {
  if (field === 'title') return cleanTitle(text);
  return ITEM_FIELD[field].kind === 'line' ? text.normalize('NFC').replace(/\s+/g, ' ').trim() : text.trim();
}

/** Returns the tags without repetitions, in any letter case; the first spelling of each is kept. */
function distinctTags(tags: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const tag of tags) {
    const name = tag.trim();
    if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), name);
  }
  return [...byName.values()];
}
