import { z } from 'zod';

/** The role of one user or group in one collection. */
const memberSchema = z.object({
  /** The id of the membership. */
  id: z.string(),
  kind: z.enum(['user', 'group']),
  /** Empty where the library does not name a user. */
  name: z.string(),
  role: z.string(),
  isYou: z.boolean(),
});
export type Member = z.output<typeof memberSchema>;

/** Who has which role in a collection, as far as the account may read that. */
export const collectionMembersSchema = z.object({
  /** The collection itself, then the collections above it whose roles it inherits, from below. */
  places: z.array(z.object({ collectionId: z.string(), name: z.string(), members: z.array(memberSchema) })),
  /** Roles are inherited from a collection that the account can't see. */
  isCut: z.boolean(),
  /** Whether the account sees all roles of the collection, or only its own. `unknown`: the library does not say. */
  visible: z.enum(['all', 'own', 'unknown']),
});
export type CollectionMembers = z.output<typeof collectionMembersSchema>;
