import { appError } from '../../shared/contract/app-error.ts';
import type { Site } from '../../shared/contract/sites.ts';

/** True when `wanted` (an id, an address or a host name) names this site. */
function isNamed(site: Site, wanted: string): boolean {
  const text = wanted.trim().replace(/\/+$/, '').toLowerCase();
  return [site.id, site.baseUrl, site.displayName, URL.parse(site.baseUrl)?.host].some(
    (name) => name?.toLowerCase() === text,
  );
}

/**
 * The site that a command is for: the named one, or the only one. A site where nobody is signed in counts only when it
 * is named. Throws `AppError`: `site.unknown`, `sign-in.required`, or `input.invalid` when there are several.
 */
export function chooseSite(sites: readonly Site[], wanted: string | null): Site {
  if (wanted !== null) {
    const named = sites.find((site) => isNamed(site, wanted));
    if (named) return named;
    throw appError('site.unknown', { details: { site: wanted } });
  }
  const usable = sites.filter(({ state }) => state !== 'signed-out');
  const candidates = usable.length > 0 ? usable : sites;
  const [only, another] = candidates;
  if (!only) {
    throw appError('sign-in.required', {
      message: 'No library is set up here yet. Use “mediadesk sign-in --site URL --client-id ID”.',
    });
  }
  if (!another) return only;
  const addresses = candidates.map(({ baseUrl }) => baseUrl).join(', ');
  throw appError('input.invalid', { message: `There are several libraries; choose one with --site: ${addresses}.` });
}
