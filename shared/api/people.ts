import { z } from 'zod';
import { blank, idSchema, lineSchema, linksSchema, readableOf, timestampSchema, withDefault } from './wire.ts';

/** A named reference inside another resource. */
const referenceSchema = z.object({ id: idSchema, display_name: withDefault(lineSchema, '') });

export const userSchema = z.object({
  id: idSchema,
  is_admin: withDefault(z.boolean(), false),
  email_address: blank(lineSchema),
  display_name: withDefault(lineSchema, ''),
  /** Identity key for sign-on integrations; `basic:<EMAIL>` unless set. */
  unique_id: blank(lineSchema),
  created_on: blank(timestampSchema),
  modified_on: blank(timestampSchema),
  last_login_date: blank(timestampSchema),
  links: linksSchema,
});
export type User = z.output<typeof userSchema>;

export const groupSchema = z.object({
  id: idSchema,
  display_name: withDefault(lineSchema, ''),
  created_on: blank(timestampSchema),
  modified_on: blank(timestampSchema),
  links: linksSchema,
});
export type Group = z.output<typeof groupSchema>;

/** A user with its groups; null when the library does not join them. */
export const userWithGroupsSchema = userSchema.extend({ groups: blank(readableOf(groupSchema)) });
export type UserWithGroups = z.output<typeof userWithGroupsSchema>;

/** The body of a user's creation. */
export interface UserInput {
  is_admin: boolean;
  email_address: string;
  first_name: string;
  last_name: string;
  password?: string;
  /** `basic:<EMAIL>` by default. */
  unique_id?: string;
}

export const tagSchema = z.object({ id: idSchema, display_name: withDefault(lineSchema, '') });
export type Tag = z.output<typeof tagSchema>;

export const roleSchema = z.object({
  id: idSchema,
  display_name: withDefault(lineSchema, ''),
  created_on: blank(timestampSchema),
  modified_on: blank(timestampSchema),
  permissions: withDefault(z.array(z.string()), []),
  deletable: withDefault(z.boolean(), true),
  lti: withDefault(z.boolean(), false),
  links: linksSchema,
});
export type Role = z.output<typeof roleSchema>;

/** The role of one user or one group (never both) in one collection. */
export const membershipSchema = z.object({
  id: idSchema,
  group: blank(referenceSchema),
  user: blank(referenceSchema),
  collection: referenceSchema,
  role: referenceSchema,
  created_on: blank(timestampSchema),
  modified_on: blank(timestampSchema),
  links: linksSchema,
});
export type Membership = z.output<typeof membershipSchema>;

export const calculatedRolesSchema = z.object({
  collection: referenceSchema,
  roles: z.array(referenceSchema),
  permissions: z.array(z.string()),
});
export type CalculatedRoles = z.output<typeof calculatedRolesSchema>;
