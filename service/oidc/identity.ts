import { MAX_GROUP_VALUE, type OidcProvider } from '../site/oidc-settings.ts';
import { type Refusal, refused } from './refusals.ts';

/** What a provider says about a user, as far as the library uses it. */
export interface Identity {
  /** `oidc:<provider>:<sub>`, at most 293 characters. */
  uniqueId: string;
  /** null when the provider names none, or none that an account may have. */
  email: { address: string; verified: 'yes' | 'no' | 'not-said' } | null;
  firstName: string;
  lastName: string;
  /** The values of the claim with groups; null when the provider did not send them here although it could. */
  groups: readonly string[] | null;
}

export type Claims = Readonly<Record<string, unknown>>;

const MAX_NAME = 255;
const MAX_EMAIL = 254;
const MAX_GROUPS = 2000;

/**
 * Reads the claims of a user. Claims that the library needs must have the form that OpenID Connect gives them; a name of another form
 * counts as absent.
 */
export function readProviderIdentity(
  provider: Pick<OidcProvider, 'name' | 'groups_claim'>,
  claims: Claims,
): Identity | Refusal {
  const { sub } = claims;
  // OpenID Connect Core 1.0, 2: at most 255 characters of ASCII. Blanks at its ends would look like another subject in lists.
  if (typeof sub !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(sub)) {
    return refused('claims', { detail: 'sub' });
  }
  const groups = readGroups(provider.groups_claim, claims);
  if (groups !== null && 'kind' in groups) return groups;
  const email = readEmail(claims);
  return { uniqueId: `oidc:${provider.name}:${sub}`, email, ...readNames(claims, email?.address), groups };
}

function readEmail({ email, email_verified: verified }: Claims): Identity['email'] {
  if (typeof email !== 'string' || email.length > MAX_EMAIL || !isClean(email)) return null;
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return null;
  // Only the boolean is the standard's: a text such as "false" must not count as true.
  if (verified === undefined) return { address: email, verified: 'not-said' };
  return { address: email, verified: verified === true ? 'yes' : 'no' };
}

function readNames(claims: Claims, email: string | undefined): Pick<Identity, 'firstName' | 'lastName'> {
  const [first, last] = [nameOf(claims.given_name), nameOf(claims.family_name)];
  if (first !== '' || last !== '') return { firstName: first, lastName: last };
  return { firstName: nameOf(claims.name) || nameOf(email?.split('@', 1)[0]), lastName: '' };
}

function nameOf(claim: unknown): string {
  return typeof claim === 'string' && isClean(claim) ? claim.trim().slice(0, MAX_NAME).toWellFormed() : '';
}

function isClean(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

function readGroups(name: string | undefined, claims: Claims): readonly string[] | null | Refusal {
  if (name === undefined) return null;
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (claim === undefined || claim === null) return isElsewhere(claims._claim_names, name) ? null : [];
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  if (values.length > MAX_GROUPS) return refused('groups', { detail: 'too many' });
  if (!values.every((value) => typeof value === 'string')) return refused('groups', { detail: 'type' });
  if (values.some((value) => value.length > MAX_GROUP_VALUE)) return refused('groups', { detail: 'too long' });
  return values;
}

/** Returns whether a claim is distributed: a provider does this for users with very many groups. */
function isElsewhere(names: unknown, name: string): boolean {
  return typeof names === 'object' && names !== null && Object.hasOwn(names, name);
}
