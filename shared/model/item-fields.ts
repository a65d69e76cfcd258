import { ITEM_LIMITS } from './item-limits.ts';
import { cleanTitle, MAX_TITLE_LENGTH } from './title-template.ts';

/** The values with which an item is created, beside its collection. The API accepts no others at its creation. */
export interface ItemFields {
  title: string;
  byline: string;
  /** HTML. */
  description: string;
  tags: string[];
}

export const ITEM_FIELDS = ['title', 'byline', 'description', 'tags'] as const satisfies readonly (keyof ItemFields)[];

/** Why values can't be used: a field is empty, has too many characters, or there are too many tags. */
export type ItemFieldProblem = { field: keyof ItemFields; kind: 'empty' | 'too-long' | 'too-many' };

/** Values of a call: a field may be present without a value. */
export type GivenItemFields = { [Field in keyof ItemFields]?: ItemFields[Field] | undefined };

/** Returns values without the fields that are present but undefined. */
export function definedItemFields(fields: GivenItemFields): Partial<ItemFields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns the values of those fields that `isWanted` accepts. */
export function pickFields(
  fields: Partial<ItemFields>,
  isWanted: (field: keyof ItemFields) => boolean,
): Partial<ItemFields> {
  const wanted = ITEM_FIELDS.filter((field) => fields[field] !== undefined && isWanted(field));
  return Object.fromEntries(wanted.map((field) => [field, fields[field]]));
}

/** Returns the first problem of given values; null when an item can be created with them. */
export function itemFieldProblem(fields: GivenItemFields): ItemFieldProblem | null {
  const { title, byline, description, tags } = fields;
  if (title !== undefined) {
    if (cleanTitle(title) === '') return { field: 'title', kind: 'empty' };
    if (Array.from(title.trim()).length > MAX_TITLE_LENGTH) return { field: 'title', kind: 'too-long' };
  }
  if (byline !== undefined && byline.length > ITEM_LIMITS.byline) return { field: 'byline', kind: 'too-long' };
  if (description !== undefined && description.length > ITEM_LIMITS.description) {
    return { field: 'description', kind: 'too-long' };
  }
  if (tags !== undefined) {
    if (tags.length > ITEM_LIMITS.tags) return { field: 'tags', kind: 'too-many' };
    if (tags.some((tag) => tag.trim() === '')) return { field: 'tags', kind: 'empty' };
    if (tags.some((tag) => tag.length > ITEM_LIMITS.tag)) return { field: 'tags', kind: 'too-long' };
  }
  return null;
}

/** Returns values as they are stored and sent: titles and bylines are one line without control characters. */
export function cleanItemFields(fields: Partial<ItemFields>): Partial<ItemFields> {
  const { title, byline, description, tags } = fields;
  return {
    ...(title === undefined ? {} : { title: cleanTitle(title) }),
    ...(byline === undefined ? {} : { byline: byline.normalize('NFC').replace(/\s+/g, ' ').trim() }),
    ...(description === undefined ? {} : { description: description.trim() }),
    ...(tags === undefined ? {} : { tags: distinctTags(tags) }),
  };
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
