import { noOperands, onlyOperand, requiredText } from '../arguments/options.ts';
import { defineCommand } from '../command-base/define-command.ts';
import { becomeService } from './service.ts';

const DATA = 'Folder of the library’s database and files.';

export const serviceBackupCommand = defineCommand<{ args: string[] }>({
  name: 'service backup',
  operands: '--data DIR --to DIR',
  summary: 'Make a backup of a library, also while its service runs with --operations.',
  options: {
    data: { value: 'DIR', help: DATA },
    to: { value: 'DIR', help: 'Folder to make. It appears when the backup is complete.' },
    copy: { value: null, help: 'Copy the files even where hard links are possible.' },
  },
  read(values, operands) {
    noOperands(operands);
    const args = ['backup', `--data=${requiredText(values, 'data')}`, `--to=${requiredText(values, 'to')}`];
    return { args: values.copy === true ? [...args, '--copy'] : args };
  },
  run: becomeService,
});

export const serviceVerifyCommand = defineCommand<{ args: string[] }>({
  name: 'service verify',
  operands: 'DIR',
  summary: 'Check that a backup is complete, and the size and SHA-256 of each file.',
  options: {},
  read: (_values, operands) => ({ args: ['verify', '--', onlyOperand(operands, 'Missing argument: DIR')] }),
  run: becomeService,
});

export const serviceRestoreCommand = defineCommand<{ args: string[] }>({
  name: 'service restore',
  operands: '--from DIR --data DIR',
  summary: 'Check a backup, and restore the library into a new folder.',
  options: {
    from: { value: 'DIR', help: 'The backup.' },
    data: { value: 'DIR', help: 'New folder for the library’s database and files. It may exist if it is empty.' },
    'accept-missing': {
      value: null,
      help: 'Restore although files were missing when the backup was made.',
    },
  },
  read(values, operands) {
    noOperands(operands);
    const args = ['restore', `--from=${requiredText(values, 'from')}`, `--data=${requiredText(values, 'data')}`];
    return { args: values['accept-missing'] === true ? [...args, '--accept-missing'] : args };
  },
  run: becomeService,
});
