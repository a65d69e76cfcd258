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
  /** The node above it; null for the root. */
  parent_id: string | null;
  display_name: string;
  is_podcast: boolean | null;
  slug: string;
  /** null unless the request asked for counts. */
  media_count: number | null;
}

/** A node whose children are not read yet. `children` that are not a list are an error, because the collection must not look empty. */
const treeNodeSchema = z.object({
  id: idSchema,
  display_name: withDefault(lineSchema, ''),
  is_podcast: blank(booleanSchema),
  slug: withDefault(lineSchema, ''),
  media_count: blank(numberSchema),
  children: z.array(z.unknown()).nullish(),
});

/** The answer of the tree endpoint, of which only the root is read: `treeNodes` reads the others. */
export const collectionTreeSchema = z.object({ root: treeNodeSchema });

/** A node that is not read yet. */
interface UnreadNode {
  given: unknown;
  parent_id: string;
}

/**
 * Reads the nodes of a tree one by one, each after the one above it. One that is unreadable is left out with all below it. A loop
 * reads them, because a tree may be thousands of levels deep.
 */
export function treeNodes({ children, ...root }: z.output<typeof treeNodeSchema>): Generator<CollectionTreeNode> {
  return nodesBelow({ ...root, parent_id: null }, unreadIn(children, root.id));
}

/** `unread` is emptied on the way, and nothing else refers to the nodes: those of a large tree are not in memory twice. */
function* nodesBelow(root: CollectionTreeNode, unread: UnreadNode[]): Generator<CollectionTreeNode> {
  yield root;
  for (let next = unread.pop(); next !== undefined; next = unread.pop()) {
    const read = treeNodeSchema.safeParse(next.given);
    if (!read.success) continue;
    const { children, ...node } = read.data;
    yield { ...node, parent_id: next.parent_id };
    for (const each of unreadIn(children, node.id)) unread.push(each);
  }
}

function unreadIn(children: readonly unknown[] | null | undefined, parent_id: string): UnreadNode[] {
  return (children ?? []).map((given) => ({ given, parent_id }));
}

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
