import { appError } from '../../../shared/contract/app-error.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { withoutTrailingSlashes } from '../../../shared/model/trailing-slashes.ts';

/** The options that choose an account; null for an option that is not given. */
export interface SiteChoice {
  /** An id, an address or a host name. */
  site: string | null;
  /** The account's display name, or the user id at the library. */
  account: string | null;
}

/** Returns true when `wanted` (an id, an address or a host name) names this site. */
function isAt(site: Site, wanted: string): boolean {
  const text = withoutTrailingSlashes(wanted.trim()).toLowerCase();
  return [site.id, site.baseUrl, site.displayName, URL.parse(site.baseUrl)?.host].some(
    (name) => name?.toLowerCase() === text,
  );
}

function isOf(site: Site, account: string): boolean {
  const text = account.trim().toLowerCase();
  return [site.accountName, site.userId].some((name) => name?.toLowerCase() === text);
}

/**
 * Returns the account that a command is for: the one that matches the options, or the only one. A signed-out account is
 * chosen only when no other matches. Throws `AppError`: `site.unknown`, `sign-in.required`, or `input.invalid` when
 * several match.
 */
export function chooseSite(sites: readonly Site[], { site: wanted, account }: SiteChoice): Site {
  const matching = sites.filter(
    (site) => (wanted === null || isAt(site, wanted)) && (account === null || isOf(site, account)),
  );
  if (matching.length === 0 && (wanted !== null || account !== null)) {
    throw appError('site.unknown', {
      details: { ...(wanted === null ? {} : { site: wanted }), ...(account === null ? {} : { account }) },
    });
  }
  const usable = matching.filter(({ state }) => state !== 'signed-out');
  const candidates = usable.length > 0 ? usable : matching;
  const [only, another] = candidates;
  if (!only) {
    throw appError('sign-in.required', {
      message: 'No library is set up on this computer. Run “mediadesk sign-in --site URL --client-id ID”.',
    });
  }
  if (!another) return only;
  throw appError('input.invalid', { message: severalMessage(candidates) });
}

function severalMessage(candidates: readonly Site[]): string {
  const isOneLibrary = new Set(candidates.map(({ baseUrl }) => baseUrl)).size === 1;
  if (!isOneLibrary) {
    const addresses = [...new Set(candidates.map(({ baseUrl }) => baseUrl))].join(', ');
    return `There are several libraries. Choose one with --site: ${addresses}`;
  }
  const people = candidates.map(({ accountName, userId, id }) => accountName ?? userId ?? id).join(', ');
  return `This library has several accounts. Choose one with --account: ${people}`;
}
