import { z } from 'zod';
import { ITEM_FIELD, LONGEST_TAG } from '../item/fields.ts';

/** The tags of one item, or the tags that an edit adds or removes. */
export const tagNamesSchema = z.array(z.string().min(1).max(LONGEST_TAG)).max(ITEM_FIELD.tags.most);
