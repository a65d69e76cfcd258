import { z } from 'zod';
import { ITEM_LIMITS } from '../model/item-limits.ts';

/** Tags of one item, or to add or remove. */
export const tagNamesSchema = z.array(z.string().min(1).max(ITEM_LIMITS.tag)).max(ITEM_LIMITS.tags);
