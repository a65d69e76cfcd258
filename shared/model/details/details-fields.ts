import { ITEM_FIELD, ITEM_FIELDS, type ItemField, type ItemFields } from '../../item/fields.ts';
import { descriptionOfCell, plainToHtml } from '../description.ts';
import { cleanItemFields, itemFieldProblem } from '../item-fields.ts';

// Files beside a recording that describe it: JSON, XML and text. Only the names listed below are read; all other names in such a
// file are ignored.

type DetailsErrorCode = `details.${'too-large' | 'encoding' | 'damaged' | 'field'}`;

/**
 * The fields that a file has for its recording. `none`: it is well-formed and has no known field. `field`: the name in the file
 * whose value can't be used.
 */
export type DetailsResult =
  | { kind: 'details'; fields: Partial<ItemFields> }
  | { kind: 'none' }
  | { kind: 'problem'; code: DetailsErrorCode; field?: string };

/** The values in a file by their names in lower case; a usable value is a text or a list of texts. */
export type NamedValues = ReadonlyMap<string, unknown>;

/** Reads fields from named values. The first name with a value counts; empty values count as absent. */
export function fieldsOfNames(values: NamedValues): DetailsResult {
  const fields: Partial<ItemFields> = {};
  for (const field of ITEM_FIELDS) {
    const { detailNames, kind, isJoined } = ITEM_FIELD[field];
    for (const name of detailNames) {
      const value = values.get(name);
      const texts = textsOf(value);
      if (texts === null) return { kind: 'problem', code: 'details.field', field: name };
      if (texts.length === 0) continue;
      if (kind !== 'tags' && !isJoined && texts.length > 1)
        return { kind: 'problem', code: 'details.field', field: name };
      const isList = Array.isArray(value);
      Object.assign(fields, { [field]: isList && kind === 'tags' ? texts : fieldValue(field, texts) });
      break;
    }
  }
  return checked(fields);
}

function fieldValue(field: ItemField, texts: readonly string[]): string | string[] {
  switch (ITEM_FIELD[field].kind) {
    case 'tags':
      return splitTags(texts[0] ?? '');
    case 'html':
      return descriptionOfCell(texts[0] ?? '');
    case 'line':
      return texts.join(', ');
  }
}

const TAG_SEPARATORS = ['|', ';', ','];

function splitTags(text: string): string[] {
  const separator = TAG_SEPARATORS.find((sign) => text.includes(sign));
  const tags = separator === undefined ? [text] : text.split(separator);
  return tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
}

/** Returns the texts of a value, without blank ones; null when the value is neither a text nor a list of texts. */
function textsOf(value: unknown): string[] | null {
  if (value === undefined || value === null) return [];
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const texts = all.map((each) => (typeof each === 'string' ? each.trim() : null));
  if (texts.includes(null)) return null;
  return texts.filter((text) => text !== null && text !== '') as string[];
}

function checked(fields: Partial<ItemFields>): DetailsResult {
  if (Object.keys(fields).length === 0) return { kind: 'none' };
  const problem = itemFieldProblem(fields);
  if (problem !== null) return { kind: 'problem', code: 'details.field', field: problem.field };
  return { kind: 'details', fields: cleanItemFields(fields) };
}

/** Reads a JSON object, such as those of download programs. Values inside other objects are ignored. */
export function jsonDetails(text: string): DetailsResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'problem', code: 'details.damaged' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'none' };
  const values = new Map<string, unknown>();
  for (const [name, each] of Object.entries(value)) {
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), each);
  }
  return fieldsOfNames(values);
}

/** Reads a text: its first line is the title, the rest the description. */
export function textDetails(text: string): DetailsResult {
  const lines = text.replace(/\r\n?/g, '\n').trim();
  const end = lines.indexOf('\n');
  const title = (end < 0 ? lines : lines.slice(0, end)).trim();
  const description = end < 0 ? '' : plainToHtml(lines.slice(end + 1));
  return checked({ ...(title === '' ? {} : { title }), ...(description === '' ? {} : { description }) });
}

const ORDER = ['json', 'xml', 'txt'];

/** Compares the names of two files about one recording, for a sort by precedence: JSON, then XML, then text. */
export function compareDetails(one: string, other: string): number {
  const rankOf = (name: string) => ORDER.indexOf(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
  return rankOf(one) - rankOf(other) || (one < other ? -1 : 1);
}

/** Returns the merged values of several files about one recording. Of two values of a field, that of the first file counts. */
export function mergeDetails(files: readonly { path: string; fields: Partial<ItemFields> }[]): Partial<ItemFields> {
  const weakestFirst = files.toSorted((one, other) => compareDetails(other.path, one.path));
  return Object.assign({}, ...weakestFirst.map(({ fields }) => fields));
}
