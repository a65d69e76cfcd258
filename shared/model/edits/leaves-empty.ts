import { isTextField } from '../../item/fields.ts';
import { textProblem } from '../item-fields.ts';
import type { AnyField } from './collection-ops.ts';

/** Whether a text would leave an item without a required value, or a collection without a name: libraries refuse both. */
export function leavesEmpty(field: AnyField, text: string): boolean {
  if (isTextField(field)) return textProblem(field, text) === 'empty';
  return field === 'display_name' && text.trim() === '';
}
