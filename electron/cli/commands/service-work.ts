import { noOperands, optionText, requiredText } from '../arguments/options.ts';
import { defineCommand } from '../command-base/define-command.ts';
import { becomeService } from './service.ts';

const OPTIONAL = ['token-file', 'token-env', 'parallel', 'scratch'] as const;

export const serviceWorkCommand = defineCommand<{ args: string[] }>({
  name: 'service work',
  operands: '--service URL --token-file FILE',
  summary: 'Make encodings and thumbnails for a library service on this or another computer, until it is stopped.',
  options: {
    service: { value: 'URL', help: 'Scheme, host and port of the library.' },
    'token-file': { value: 'FILE', help: 'A file with the token of the workers.' },
    'token-env': { value: 'NAME', help: 'An environment variable with the token, instead of a file.' },
    parallel: { value: 'N', help: 'How many files are processed at the same time (1).' },
    scratch: { value: 'DIR', help: 'Folder for temporary files.' },
  },
  read(values, operands) {
    noOperands(operands);
    const given = OPTIONAL.flatMap((name) => {
      const value = optionText(values, name);
      return value === null ? [] : [`--${name}=${value}`];
    });
    return { args: ['work', `--service=${requiredText(values, 'service')}`, ...given] };
  },
  run: becomeService,
});
