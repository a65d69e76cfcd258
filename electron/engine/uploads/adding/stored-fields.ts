import { appError } from '../../../../shared/contract/app-error.ts';
import type { ItemFields } from '../../../../shared/item/fields.ts';
import {
  cleanItemFields,
  definedItemFields,
  type GivenItemFields,
  itemFieldProblem,
} from '../../../../shared/model/item-fields.ts';

/** Returns given values as a row stores them. Throws `input.invalid` for a value that an item can't have. */
export function storedFields(given: GivenItemFields): Partial<ItemFields> {
  const problem = itemFieldProblem(given);
  if (problem !== null) throw appError('input.invalid', { details: { ...problem } });
  return cleanItemFields(definedItemFields(given));
}
