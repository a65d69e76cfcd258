import { UsageError } from './command.ts';
import type { CommandSpec, OptionSpec } from './command-spec.ts';

/** The commands about uploads whose item may exist already. `batch`: the option that names a batch. */
export function itemCommands(batch: OptionSpec): CommandSpec[] {
  return [
    {
      name: 'items list',
      operands: '',
      summary: 'List uploads that may have an item in the library already, and wait for your choice.',
      options: { batch },
      read(values, operands) {
        if (operands.length > 0) throw new UsageError(`“${operands[0]}” is too much here.`, 'items list');
        return { kind: 'items-list', batchId: typeof values.batch === 'string' ? values.batch : null };
      },
    },
    {
      name: 'items use',
      operands: 'UPLOAD ITEM',
      summary: 'Continue an upload in an item that “items list” shows.',
      options: {},
      read(_values, [uploadId, mediaId, ...others]) {
        if (uploadId === undefined || mediaId === undefined || others.length > 0) {
          throw new UsageError('Name one upload and one item.', 'items use');
        }
        return { kind: 'items-choose', uploadId, mediaId };
      },
    },
    {
      name: 'items new',
      operands: 'UPLOAD',
      summary: 'Continue an upload in a new item.',
      options: {},
      read(_values, [uploadId, ...others]) {
        if (uploadId === undefined || others.length > 0) throw new UsageError('Name one upload.', 'items new');
        return { kind: 'items-choose', uploadId, mediaId: null };
      },
    },
  ];
}
