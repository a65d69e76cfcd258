import { MAX_ADMIN_LINE } from '../../../shared/model/access/admin-limits.ts';
import { atMost, type OptionValues, optionText, requiredText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { namesIn } from './find-named.ts';

/** Returns a line about a user or a role, without blanks around it; null when the option is not given. Throws `UsageError`. */
export function lineOf(values: OptionValues, name: string): string | null {
  return optionText(values, name) === null ? null : requiredLine(values, name);
}

/** The same for an option that must be given. */
export function requiredLine(values: OptionValues, name: string): string {
  return atMost(requiredText(values, name), MAX_ADMIN_LINE, `--${name}`);
}

/** Returns a list of groups, separated by commas; null when the option is not given. Throws `UsageError` for a list of none. */
export function groupsOption(values: OptionValues, name: string): string | null {
  const list = optionText(values, name);
  if (list !== null && namesIn(list).length === 0) throw new UsageError('Enter at least one group.');
  return list;
}
