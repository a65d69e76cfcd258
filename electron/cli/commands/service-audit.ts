import { noOperands, optionText, requiredText } from '../arguments/options.ts';
import { defineCommand } from '../command-base/define-command.ts';
import { becomeService } from './service.ts';

const FILTERS = ['since', 'until', 'actor'] as const;

export const serviceAuditCommand = defineCommand<{ args: string[] }>({
  name: 'service audit',
  operands: '--data DIR',
  summary: 'Print who changed what in a library, as lines of JSON.',
  options: {
    data: { value: 'DIR', help: 'Folder of the library’s database and files.' },
    since: { value: 'TIME', help: 'Only from this day (UTC) or time on, such as 2026-11-29.' },
    until: { value: 'TIME', help: 'Only before this day or time.' },
    actor: { value: 'USER', help: 'Only changes by this user (ID or e-mail address), or by the service: system.' },
  },
  read(values, operands) {
    noOperands(operands);
    const given = FILTERS.flatMap((name) => {
      const text = optionText(values, name);
      return text === null ? [] : [`--${name}=${text}`];
    });
    return { args: ['audit', `--data=${requiredText(values, 'data')}`, ...given] };
  },
  run: becomeService,
});
