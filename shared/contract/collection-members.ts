import { z } from 'zod';

/** The role of one user or group in one collection. */
const memberSchema = z.object({
  /** The id of the membership. */
  id: z.string(),
  kind: z.enum(['user', 'group']),
  /** The id of the user or group; null when the library does not name it. */
  subjectId: z.string().nullable(),
  /** Empty when the library does not name a user. */
  name: z.string(),
  roleId: z.string(),
  role: z.string(),
  isYou: z.boolean(),
});
export type Member = z.output<typeof memberSchema>;

/** The users and groups with their roles in a collection, as far as the account may read them. */
export const collectionMembersSchema = z.object({
  /** The collection itself, then the collections above it whose roles it inherits, from the innermost on. */
  places: z.array(
    z.object({
      collectionId: z.string(),
      name: z.string(),
      members: z.array(memberSchema),
      /** Whether the account sees all roles of this collection and may change them, or only its own. `unknown`: the library does not say. */
      visible: z.enum(['all', 'own', 'unknown']),
    }),
  ),
  /** Whether the collection inherits the roles of the collection above it. */
  inherits: z.boolean(),
  /** Roles are inherited from a collection that the account can't see. */
  isCut: z.boolean(),
  /** Whether the account sees all roles of the collection, or only its own. `unknown`: the library does not say. */
  visible: z.enum(['all', 'own', 'unknown']),
});
export type CollectionMembers = z.output<typeof collectionMembersSchema>;
