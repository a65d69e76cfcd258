import { onlyOperand, requiredText } from '../arguments/options.ts';
import { defineCommand } from '../command-base/define-command.ts';
import { becomeService } from './service.ts';

export const serviceResetLinkCommand = defineCommand<{ args: string[] }>({
  name: 'service reset-link',
  operands: '--data DIR EMAIL',
  summary: 'Print a one-time link with which a user of a library sets a password.',
  options: { data: { value: 'DIR', help: 'Folder of the library’s database and files.' } },
  read: (values, operands) => ({
    args: [
      'reset-link',
      `--data=${requiredText(values, 'data')}`,
      '--',
      onlyOperand(operands, 'Missing argument: EMAIL'),
    ],
  }),
  run: becomeService,
});
