import type { UploadSelection } from '../../../../shared/contract/uploads.ts';
import { optionText } from '../../arguments/options.ts';
import { readSelection, SELECTION_OPTIONS } from '../../arguments/selection.ts';
import { readUntil, type Until, untilInstant } from '../../arguments/until.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { localTime } from '../../output/local-time.ts';
import { printChanged } from '../../uploads/changed-uploads.ts';
import { afterKnown, knownSelection } from '../../uploads/known-uploads.ts';

/** `until`: the whole queue pauses until then. */
type PauseInput = { selection: UploadSelection } | { until: Until };

export const queuePauseCommand = defineEngineCommand<PauseInput>({
  name: 'queue pause',
  operands: '[UPLOAD…]',
  summary: 'Pause uploads. Default: the whole queue.',
  options: {
    ...SELECTION_OPTIONS,
    until: {
      value: 'TIME',
      help: 'Pause the whole queue until a time such as 18:00 or 2027-03-01T09:00, or for 90m or 2h.',
    },
  },
  read(values, ids) {
    const selection = readSelection(values, ids, { kind: 'all' });
    const until = optionText(values, 'until');
    if (until === null) return { selection };
    if (selection.kind !== 'all') throw new UsageError('--until always pauses the whole queue. Remove the selection.');
    return { until: readUntil(until) };
  },
  run: (context, input) => ('until' in input ? pauseUntil(context, input.until) : pause(context, input.selection)),
});

async function pause(context: EngineContext, given: UploadSelection): Promise<ExitCode> {
  const { selection, error } = await knownSelection(context, given);
  printChanged(context.output, 'pause', 'Paused', await context.engine.call('uploads.pause', selection));
  return afterKnown(context, error, EXIT.complete);
}

async function pauseUntil({ engine, output }: EngineContext, until: Until): Promise<ExitCode> {
  const instant = untilInstant(until, Date.now());
  const { changed } = await engine.call('uploads.pauseUntil', { until: instant });
  output.record({ pause: { changed, until: instant } });
  output.line(`Paused until ${localTime(instant)}.`);
  return EXIT.complete;
}
