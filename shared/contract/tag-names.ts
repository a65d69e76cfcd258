import { z } from 'zod';
import { ITEM_LIMITS } from '../model/item-limits.ts';

/** The tags of one item, or the tags that an edit adds or removes. */
export const tagNamesSchema = z.array(z.string().min(1).max(ITEM_LIMITS.tag)).max(ITEM_LIMITS.tags);
