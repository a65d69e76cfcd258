import type { WatchRules } from '../../contract/watch-rules.ts';

/**
 * Returns the ids of the accounts to which the rules of a folder upload: the accounts of its enabled rules, and the account of the
 * defaults.
 */
export function accountsOf({ rules, defaults }: WatchRules): Set<string> {
  const accounts = new Set([defaults.settings.siteId]);
  for (const { enabled, action } of rules) {
    if (enabled && action.kind === 'upload' && action.settings.siteId !== undefined)
      accounts.add(action.settings.siteId);
  }
  return accounts;
}
