import { z } from 'zod';
import { blank, booleanSchema, idSchema, lineSchema, linksSchema, numberSchema, withDefault } from './wire.ts';

/** A collection of media items and subcollections, which may be a podcast. The collections of a library can be several trees. */
export const collectionSchema = z.object({
  id: idSchema,
  parent_id: blank(idSchema),
  slug: withDefault(lineSchema, ''),
  display_name: withDefault(lineSchema, ''),
  /** XHTML. */
  description: blank(z.string()),
  description_plain: blank(z.string()),
  media_count: withDefault(numberSchema, 0),
  inherit_memberships: withDefault(booleanSchema, false),
  is_podcast: withDefault(booleanSchema, false),
  autotranscribe_enabled: withDefault(booleanSchema, false),
  autotranscribe_subcollections: withDefault(booleanSchema, false),
  autotranscribe_profile_id: blank(idSchema),
  links: linksSchema,
});
export type Collection = z.output<typeof collectionSchema>;

/** A node of the collection tree. The artificial root has the id `-1` and `is_podcast` null. */
export interface CollectionTreeNode {
  id: string;
  display_name: string;
  is_podcast: boolean | null;
  slug: string;
  /** null unless the request asked for counts. */
  media_count: number | null;
  children: CollectionTreeNode[];
}

/** A node without those below it. `children` that are not a list are an error, because the collection must not look empty. */
const treeNodeSchema = z.object({
  id: idSchema,
  display_name: withDefault(lineSchema, ''),
  is_podcast: blank(booleanSchema),
  slug: withDefault(lineSchema, ''),
  media_count: blank(numberSchema),
  children: z.array(z.unknown()).nullish(),
});

/**
 * The answer of the tree endpoint. An unreadable node below the root is left out with all below it. The nodes are read in a loop,
 * because a tree may be thousands of levels deep.
 */
export const collectionTreeSchema = z.object({
  root: z.unknown().transform((given, context): CollectionTreeNode => {
    const first = treeNodeSchema.safeParse(given);
    if (!first.success) {
      for (const { message, path } of first.error.issues) context.addIssue({ code: 'custom', message, path });
      return z.NEVER;
    }
    const root: CollectionTreeNode = { ...first.data, children: [] };
    const open = [{ node: root, given: first.data.children ?? [] }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const each of next.given) {
        const read = treeNodeSchema.safeParse(each);
        if (!read.success) continue;
        const node: CollectionTreeNode = { ...read.data, children: [] };
        next.node.children.push(node);
        open.push({ node, given: read.data.children ?? [] });
      }
    }
    return root;
  }),
});

/** The id of the root that a library creates for a caller who may not see the real root. */
export const ARTIFICIAL_ROOT_ID = '-1';

/** The body of a collection creation; an update has the same fields, all optional. */
export interface CollectionInput {
  display_name: string;
  parent_id: string;
  slug?: string;
  is_podcast?: boolean;
  autotranscribe_enabled?: boolean;
  autotranscribe_profile_id?: string | null;
  autotranscribe_subcollections?: boolean;
  inherit_memberships?: boolean;
  description?: string;
}
