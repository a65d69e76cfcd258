import { LONGEST_TAG } from '../../shared/item/fields.ts';
import { line } from '../wire/body.ts';

/** The schema of a tag name, for requests about tags and about the tags of an item. */
export const tagName = line(LONGEST_TAG);
