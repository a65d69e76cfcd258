import type { MediaFacts } from '../../../shared/contract/media-facts.ts';
import type { BatchDefaults } from '../../../shared/contract/uploads.ts';
import { ITEM_FIELDS, type ItemField, type ItemFields, noItemFields } from '../../../shared/item/fields.ts';
import { isSameField, type KnownFields } from '../../../shared/model/edits/same-field.ts';
import { localDay } from '../../../shared/model/local-day.ts';
import { composeTitle, needsTitleContents } from '../../../shared/model/title-template.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import { folderNameOf } from '../uploads/places/folder-name.ts';

/** The maximum number of numbers in a title that are tried as the number of the file in its batch. */
const MOST_NUMBERS = 20;

/**
 * Returns the fields whose values someone entered, and that `given` would replace: their present value is neither the given value
 * nor one that Mediadesk set by itself.
 */
export function enteredFields(
  given: Partial<ItemFields>,
  present: KnownFields,
  made: readonly KnownFields[],
): ItemField[] {
  return ITEM_FIELDS.filter(
    (field) => given[field] !== undefined && ![given, ...made].some((each) => isSameField(field, each, present)),
  );
}

/** Returns the values that Mediadesk gives to an upload by itself, from the options of its batch. */
export async function madeFields(
  { path, fileName, mtimeMs, title }: Upload,
  { titleTemplate, tags }: Pick<BatchDefaults, 'titleTemplate' | 'tags'>,
  mediaFacts: (path: string) => Promise<MediaFacts>,
): Promise<KnownFields[]> {
  const contents = needsTitleContents(titleTemplate) ? await mediaFacts(path) : null;
  const facts = { fileName, folderName: folderNameOf(path), date: localDay(mtimeMs), contents };
  // The number of a file in its batch is not stored: it can be any number in the title.
  const numbers = [1, ...[...title.matchAll(/\d+/g)].slice(0, MOST_NUMBERS).map(([digits]) => Number(digits))];
  const titles = numbers.map((number) => composeTitle(titleTemplate, { ...facts, number }).title);
  const name = composeTitle('{name}', { ...facts, number: 1 }).title;
  const { title: _, ...untitled } = noItemFields();
  return [{ ...untitled, tags }, ...[name, ...titles].map((each) => ({ title: each }))];
}
