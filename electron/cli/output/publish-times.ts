import type { Series } from '../../../shared/contract/series.ts';
import type { PublishChoice } from '../../../shared/contract/upload-choices.ts';
import { isoOf } from '../../../shared/model/iso-instant.ts';
import { requiredTimes } from '../../../shared/model/series/required-times.ts';
import { seriesNoteText } from '../../../shared/model/series/series-text.ts';
import { localTime } from './local-time.ts';
import type { Output } from './output.ts';

/**
 * Returns the publish times of files in a series, and prints each with its name and what is special about it. Throws
 * `edit.series-too-long` and `edit.series-without-time`.
 */
export function publishTimes(output: Output, series: Series, names: readonly string[]): PublishChoice[] {
  return requiredTimes(series, names.length, Date.now()).map(({ at, notes }, index) => {
    const name = names[index] ?? '';
    const publish = { kind: 'at', at: isoOf(at) } as const;
    output.record({ publication: { name, at: publish.at, notes } });
    output.line(`${localTime(at)}  ${name}`);
    for (const note of notes) output.line(`    ${seriesNoteText(note)}`);
    return publish;
  });
}
