import { onlyOperand, requiredText } from '../arguments/options.ts';
import { defineCommand } from '../command-base/define-command.ts';
import { becomeService } from './service.ts';

function activationCommand(verb: 'deactivate' | 'reactivate', summary: string) {
  return defineCommand<{ args: string[] }>({
    name: `service ${verb}`,
    operands: '--data DIR EMAIL',
    summary,
    options: { data: { value: 'DIR', help: 'Folder of the library’s database and files.' } },
    read: (values, operands) => ({
      args: [verb, `--data=${requiredText(values, 'data')}`, '--', onlyOperand(operands, 'Missing argument: EMAIL')],
    }),
    run: becomeService,
  });
}

export const serviceDeactivateCommand = activationCommand(
  'deactivate',
  'End the sign-ins of a user of a library, without deleting the account.',
);
export const serviceReactivateCommand = activationCommand(
  'reactivate',
  'Let a deactivated user of a library sign in again.',
);
