import { noOperands, requiredText } from '../arguments/options.ts';
import { defineCommand } from '../command-base/define-command.ts';
import { becomeService } from './service.ts';

const PLACE = 'disk, or a configuration file with the section “storage”.';

export const serviceMoveBlobsCommand = defineCommand<{ args: string[] }>({
  name: 'service move-blobs',
  operands: '--data DIR --from disk|FILE --to disk|FILE',
  summary: 'Move the files of a library between its data folder and an object store.',
  options: {
    data: { value: 'DIR', help: 'Folder of the library’s database and files.' },
    from: { value: 'PLACE', help: `Where the files are: ${PLACE}` },
    to: { value: 'PLACE', help: `Where they are to be: ${PLACE}` },
  },
  read(values, operands) {
    noOperands(operands);
    const given = (['data', 'from', 'to'] as const).map((name) => `--${name}=${requiredText(values, name)}`);
    return { args: ['move-blobs', ...given] };
  },
  run: becomeService,
});
