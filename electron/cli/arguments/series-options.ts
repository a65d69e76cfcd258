import type { Series } from '../../../shared/contract/series.ts';
import { readSkippedDays, seriesProblemText } from '../../../shared/model/series/series-text.ts';
import { seriesTimes } from '../../../shared/model/series/series-times.ts';
import { type OptionSpec, type OptionValues, optionText } from './options.ts';
import { readInterval } from './series-interval.ts';
import { readTimeZone } from './time-zone.ts';
import { UsageError } from './usage-error.ts';

/** The options of a series of publish times, besides `--publish` and `--time-zone`; `readSeries` reads them. */
export const SERIES_OPTIONS = {
  every: {
    value: 'INTERVAL',
    values: ['day', 'week', 'month'],
    help: 'With --publish: one after another, every day, week, month, “2 weeks”, or on mon,thu.',
  },
  skip: { value: 'DATES', values: ['none'], help: 'With --every: dates without publication. Default: the setting.' },
} as const satisfies Record<string, OptionSpec>;

/** A series as the options describe it. `skipped` null: the days without publication of the profile. */
export type WantedSeries = Omit<Series, 'skipped'> & { skipped: string[] | null };

/** Reads `SERIES_OPTIONS`, `--publish` and `--time-zone`; null without `--every`. Throws `UsageError`. */
export function readSeries(values: OptionValues): WantedSeries | null {
  const every = optionText(values, 'every');
  if (every === null) {
    if (values.skip !== undefined) throw new UsageError('Use --skip together with --every.');
    return null;
  }
  const interval = readInterval(every);
  if (interval === null) {
    throw new UsageError(
      `Invalid value for --every: ${every}. Use day, week, month, “2 weeks”, or days such as mon,thu.`,
    );
  }
  const publish = optionText(values, 'publish') ?? '';
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}$/.test(publish)) {
    throw new UsageError(
      `With --every, --publish needs the first local time, such as 2031-05-06T18:00${publish === '' ? '' : `, not ${publish}`}.`,
    );
  }
  const wanted = { first: publish.replace(' ', 'T'), timeZone: readTimeZone(values), interval };
  const checked = seriesTimes({ ...wanted, skipped: [] }, 1, 0);
  if ('problem' in checked) throw new UsageError(seriesProblemText(checked.problem, wanted));
  return { ...wanted, skipped: readSkip(optionText(values, 'skip')) };
}

function readSkip(text: string | null): string[] | null {
  if (text === null) return null;
  if (text === 'none') return [];
  const read = readSkippedDays(text);
  if ('days' in read) return read.days;
  const { problem } = read;
  throw new UsageError(
    problem.kind === 'no-day'
      ? `Invalid value for --skip: ${problem.text}${problem.line > 1 ? ` in line ${problem.line}` : ''}. Use dates such as 2031-12-25, separated by commas, or none.`
      : `Invalid value for --skip: ${problem.count} dates are too many.`,
  );
}
