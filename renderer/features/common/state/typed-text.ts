import { MAX_COLLECTION_NAME } from '../../../../shared/api/collection-fields.ts';
import { ITEM_FIELD, isTextField, type TextFieldKey } from '../../../../shared/item/fields.ts';
import type { AnyField } from '../../../../shared/model/edits/collection-ops.ts';
import { leavesEmpty } from '../../../../shared/model/edits/leaves-empty.ts';
import { textProblem } from '../../../../shared/model/item-fields.ts';
import { fieldLabels } from '../../../kit/text/item-fields.ts';
import { texts } from './texts.ts';

/** Returns the problem of a text that the user typed for a field of an item or a collection; null when it can be saved. */
export function typedTextProblem(field: AnyField, text: string): string | null {
  if (isTextField(field)) return itemTextProblem(field, text);
  if (field === 'display_name') return collectionNameProblem(text);
  return field === 'slug' ? slugProblem(text) : null;
}

function itemTextProblem(field: TextFieldKey, text: string): string | null {
  const { kind, most } = ITEM_FIELD[field];
  const name = fieldLabels[field].toLowerCase();
  switch (textProblem(field, text)) {
    case 'empty':
      return texts.typed.missing(name);
    case 'too-long':
      return kind === 'html'
        ? texts.typed.htmlTooLong(name, most, text.length - most)
        : texts.typed.lineTooLong(name, most);
    case null:
      return null;
  }
}

/** Returns the problem of a collection's name; null when it is valid. */
export function collectionNameProblem(name: string): string | null {
  if (leavesEmpty('display_name', name)) return texts.typed.missing('name');
  return name.trim().length > MAX_COLLECTION_NAME ? texts.typed.nameTooLong : null;
}

function slugProblem(text: string): string | null {
  const slug = text.trim();
  if (slug === '') return texts.typed.slugMissing;
  return /^[\p{L}\p{N}_-]+$/u.test(slug) ? null : texts.typed.slugForm;
}
