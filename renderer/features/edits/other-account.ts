import type { Site } from '../../../shared/contract/sites.ts';
import { siteOf, useApp } from '../common/state/app-store.ts';
import { texts } from './texts.ts';

/** Returns the account of an edit, with its library; null for the account that the window shows. */
export function otherAccountOf(site: Pick<Site, 'id' | 'accountName' | 'displayName'> | null, shownId: string | null) {
  if (site === null || site.id === shownId) return null;
  return texts.account(site.accountName, site.displayName);
}

/** Returns the account of an edit like `otherAccountOf`. */
export function useOtherAccount(siteId: string | null): string | null {
  return useApp((state) => otherAccountOf(siteOf(state, siteId), state.siteId));
}
