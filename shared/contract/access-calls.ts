import { z } from 'zod';
import { MAX_EMBED_CODES, MAX_EMBED_SIDE } from '../model/embed-size.ts';
import { MAX_PLACES } from '../model/media-rights.ts';
import { appErrorSchema } from './app-error.ts';
import { editSelectionSchema } from './edits.ts';
import { itemPlaceSchema, mediaRightsSchema } from './library.ts';
import { mediaRef } from './media-ref.ts';

const siteRef = z.object({ siteId: z.string() });

/** The calls about the rights of the account to items, and about the items' pages on the web. */
export const ACCESS_CALLS = {
  /**
   * Returns the rights of the account to an item. Reads its permissions in the item's collection, at most once a minute for each
   * collection. `isFresh`: reads them now, for example after the library refused an edit.
   */
  'library.rights': { input: mediaRef.extend({ isFresh: z.boolean().optional() }), output: mediaRightsSchema },
  /**
   * Returns for each action why the account may do it with none of these items; null when it may do it with at least one, or when
   * that is unknown. `selection`: the items are read, for a caller that doesn't know in which collections they are.
   */
  'library.rightsOf': {
    input: z.union([
      siteRef.extend({ items: z.array(itemPlaceSchema).min(1).max(MAX_PLACES) }),
      z.object({ selection: editSelectionSchema }),
    ]),
    output: mediaRightsSchema,
  },
  /** Returns why the account can't add items to a collection; null when it can, or when that is unknown. */
  'library.rightToAdd': {
    input: siteRef.extend({ collectionId: z.string() }),
    output: appErrorSchema.nullable(),
  },
  /** Returns the markup that shows the item's player in a web page. `width` and `height`: pixels, 1 to 10,000. */
  'library.embedCode': {
    input: mediaRef.extend({
      width: z.number().int().min(1).max(MAX_EMBED_SIDE),
      height: z.number().int().min(1).max(MAX_EMBED_SIDE),
    }),
    output: z.object({ html: z.string(), url: z.string() }),
  },
  /** Shows the player that `library.embedCode` embeds in a window, as a viewer without an account sees it. Throws the library's errors. */
  'library.previewPlayer': {
    input: mediaRef.extend({
      title: z.string(),
      width: z.number().int().min(1).max(MAX_EMBED_SIDE),
      height: z.number().int().min(1).max(MAX_EMBED_SIDE),
    }),
    output: z.null(),
  },
  /** Returns the markup of the players of several items, in their order, with one request. `width` and `height`: as above. */
  'library.embedCodes': {
    input: siteRef.extend({
      mediaIds: z.array(z.string().min(1)).min(1).max(MAX_EMBED_CODES),
      width: z.number().int().min(1).max(MAX_EMBED_SIDE),
      height: z.number().int().min(1).max(MAX_EMBED_SIDE),
    }),
    output: z.object({ codes: z.array(z.string()) }),
  },
} as const;
