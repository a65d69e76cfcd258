import { type OptionValues, optionText } from './options.ts';
import { UsageError } from './usage-error.ts';

/**
 * Returns the time of an option in UTC; undefined when it is not given. A day stands for its beginning in local time; a time without a zone is local. Throws
 * `UsageError`.
 */
export function instantOption(values: OptionValues, name: string): string | undefined {
  const text = optionText(values, name);
  if (text === null) return undefined;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const epochMs =
    isDay || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? Date.parse(isDay ? `${text}T00:00` : text) : Number.NaN;
  if (!Number.isNaN(epochMs)) return new Date(epochMs).toISOString();
  throw new UsageError(`Invalid value for --${name}: ${text}. Use a time such as 2026-01-31 or 2026-01-31T18:00.`);
}
