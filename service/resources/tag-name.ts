import { line } from '../wire/body.ts';

/** The name of a tag, in a request about tags and in one about the tags of an item. */
export const tagName = line(100);
