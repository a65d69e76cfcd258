import type { UploadSelection } from '../../shared/contract/uploads.ts';
import { PRIORITIES } from '../../shared/model/priorities.ts';
import { UsageError } from './command.ts';
import type { CommandSpec, OptionSpec, OptionValues } from './command-spec.ts';
import { readSettings, readUntil } from './schedule-values.ts';

type SelectionReader = (
  values: OptionValues,
  ids: string[],
  fallback: UploadSelection | null,
  topic: string,
) => UploadSelection;

/** The commands about when and in which order uploads are sent. What they share with others is handed in. */
export function queueScheduleCommands(
  selectionOptions: Record<string, OptionSpec>,
  readSelection: SelectionReader,
): CommandSpec[] {
  return [
    {
      name: 'queue pause',
      operands: '[UPLOAD…]',
      summary: 'Pause uploads; the whole queue unless told which.',
      options: {
        ...selectionOptions,
        until: { value: 'TIME', help: 'The whole queue, until 18:00, for 90m or 2h, or until 2027-03-01T09:00.' },
      },
      read(values, ids) {
        const selection = readSelection(values, ids, { kind: 'all' }, 'queue pause');
        if (typeof values.until !== 'string') return { kind: 'queue-change', action: 'pause', selection };
        if (selection.kind !== 'all')
          throw new UsageError('--until pauses the whole queue, not some of it.', 'queue pause');
        return { kind: 'queue-pause-until', until: readUntil(values.until, 'queue pause') };
      },
    },
    {
      name: 'queue next',
      operands: '[UPLOAD…]',
      summary: 'Send uploads before all others.',
      options: selectionOptions,
      read: (values, ids) => ({ kind: 'queue-next', selection: readSelection(values, ids, null, 'queue next') }),
    },
    {
      name: 'queue priority',
      operands: 'CLASS [UPLOAD…]',
      summary: `Give uploads a priority: ${PRIORITIES.join(', ')}.`,
      options: selectionOptions,
      read(values, [word = '', ...ids]) {
        const priority = PRIORITIES.find((each) => each === word);
        if (!priority) throw new UsageError(`A priority is ${PRIORITIES.join(', ')}; not “${word}”.`, 'queue priority');
        return { kind: 'queue-priority', priority, selection: readSelection(values, ids, null, 'queue priority') };
      },
    },
    {
      name: 'queue move',
      operands: 'UPLOAD…',
      summary: 'Put uploads in front of another, or at the end.',
      options: { before: { value: 'UPLOAD', help: 'In front of which; at the end of the queue unless given.' } },
      read(values, ids) {
        if (ids.length === 0) throw new UsageError('Say which uploads, by their ids.', 'queue move');
        return { kind: 'queue-move', ids, before: typeof values.before === 'string' ? values.before : null };
      },
    },
  ];
}

export const SETTINGS_COMMAND: CommandSpec = {
  name: 'settings',
  operands: '[NAME=VALUE…]',
  summary: 'Show the settings, or change some: parallel, small-first, disk, limit, timetable.',
  options: {},
  read: (_values, words) => ({ kind: 'settings', patch: readSettings(words, 'settings') }),
};
