import { noOperands, optionText, requiredText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { defineCommand } from '../command-base/define-command.ts';
import { becomeService } from './service.ts';

const CONFIG = 'a configuration file with the section “database”';

export const serviceMoveDatabaseCommand = defineCommand<{ args: string[] }>({
  name: 'service move-database',
  operands: '--data DIR --to FILE|--from FILE',
  summary: 'Move the database of a library from its data folder to PostgreSQL, or back.',
  options: {
    data: { value: 'DIR', help: 'Folder of the library’s database and files.' },
    to: { value: 'FILE', help: `Move it to PostgreSQL: ${CONFIG}.` },
    from: { value: 'FILE', help: `Move it back to the data folder: ${CONFIG}.` },
  },
  read(values, operands) {
    noOperands(operands);
    const data = requiredText(values, 'data');
    if ((optionText(values, 'to') === null) === (optionText(values, 'from') === null)) {
      throw new UsageError('Give either --to or --from.');
    }
    const direction = optionText(values, 'to') === null ? 'from' : 'to';
    return { args: ['move-database', `--data=${data}`, `--${direction}=${requiredText(values, direction)}`] };
  },
  run: becomeService,
});
