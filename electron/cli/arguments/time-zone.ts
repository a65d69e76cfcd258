import { localTimeZone } from '../../../shared/model/local-time-zone.ts';
import { isTimeZone } from '../../../shared/model/zoned-time.ts';
import { type OptionSpec, type OptionValues, optionText } from './options.ts';
import { UsageError } from './usage-error.ts';

export const TIME_ZONE_OPTION = {
  'time-zone': {
    value: 'ZONE',
    help: 'The time zone of times, such as Europe/Vienna. Default: that of this computer.',
  },
} as const satisfies Record<string, OptionSpec>;

/** Reads `TIME_ZONE_OPTION`. Throws `UsageError` for a zone that doesn't exist. */
export function readTimeZone(values: OptionValues): string {
  const name = optionText(values, 'time-zone');
  if (name === null) return localTimeZone();
  if (isTimeZone(name)) return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  throw new UsageError(`Invalid value for --time-zone: ${name}. Use a name such as Europe/Vienna.`);
}
