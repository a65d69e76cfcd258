import { z } from 'zod';
import { line } from '../wire/body.ts';
import { isPrivateChannel, parseAddress } from '../wire/web-address.ts';
import { namesOnePlace, secretEnv, secretFile } from './secret-place.ts';

const DEFAULT_SCOPES = ['openid', 'profile', 'email'];
const MAX_PROVIDERS = 20;
const MAX_MANAGED_GROUPS = 500;
/** The maximum length of one value of the claim with groups. */
export const MAX_GROUP_VALUE = 500;

/** A provider of OpenID Connect that may sign users in. It names the place of the client's secret, never the secret itself. */
const providerSchema = z
  .strictObject({
    /** Part of each user's `unique_id` and of the redirect URI, so it must not change later. */
    name: z.string().regex(/^[a-z0-9-]{1,32}$/, 'must have 1 to 32 characters of a-z, 0-9 and -'),
    /** Follows the words “Sign in with” on the sign-in page. */
    display_name: line(60),
    issuer: z
      .string()
      .max(500)
      .refine(isIssuer, 'must be an https address (http on loopback only) without user, query and fragment'),
    client_id: line(500),
    client_secret_env: secretEnv,
    client_secret_file: secretFile,
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be a scope, without blanks'))
      .max(20)
      .refine((scopes) => scopes.includes('openid'), 'must contain openid')
      .default(DEFAULT_SCOPES),
    /** Whether the first sign-in may find an account by the e-mail address, if the provider says that it verified it. */
    allow_first_link_by_verified_email: z.boolean().default(false),
    /** Whether a user without an account gets one. */
    create_users: z.boolean().default(false),
    /** Whether such an account may have an address of which the provider does not say whether it verified it. */
    trusts_addresses: z.boolean().default(false),
    /** The claim with the user's groups at the provider. */
    groups_claim: line(200).optional(),
    /** Groups of the library by values of this claim: display names, or ids as numbers. */
    managed_groups: z
      .record(z.string().min(1).max(MAX_GROUP_VALUE), z.union([line(255), z.number().int().positive()]))
      .refine((groups) => Object.keys(groups).length <= MAX_MANAGED_GROUPS, `must have at most ${MAX_MANAGED_GROUPS}`)
      .default({}),
  })
  .superRefine(namesOnePlace('client_secret'))
  .refine(
    ({ managed_groups, groups_claim }) => Object.keys(managed_groups).length === 0 || groups_claim !== undefined,
    {
      message: 'is required for managed_groups',
      path: ['groups_claim'],
    },
  );

export const providersSchema = z
  .array(providerSchema)
  .max(MAX_PROVIDERS)
  .refine((providers) => new Set(providers.map(({ name }) => name)).size === providers.length, {
    message: 'must have different names',
  });

export type OidcProvider = z.output<typeof providerSchema>;

function isIssuer(text: string): boolean {
  const url = parseAddress(text);
  if (url === undefined || !isPrivateChannel(url)) return false;
  return url.username === '' && url.password === '' && !/[?#]/.test(text);
}
