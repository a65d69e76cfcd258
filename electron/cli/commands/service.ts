import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { noOperands, type OptionSpec, optionText, requiredText } from '../arguments/options.ts';
import { defineCommand, type RunContext } from '../command-base/define-command.ts';
import type { ExitCode } from '../output/exit-codes.ts';

/**
 * The program of the library service, in a bundle and in the sources. It is another program, which no module of the command line
 * imports: found by its path, as threads are.
 */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../service/serve.ts' : '../service/serve.js', import.meta.url),
);

interface ServiceProgram {
  /** Returns when the service listens; a signal ends it, and with it the process. */
  serve(command: string, args: readonly string[]): Promise<void>;
}

const OPTIONS = {
  data: { value: 'DIR', help: 'Folder of the library’s database and files. Created if it does not exist.' },
  port: { value: 'N', help: 'Port to listen on. Default: 0, any free one.' },
  host: { value: 'ADDRESS', help: 'Address to listen on. Default: 127.0.0.1.' },
  seed: {
    value: 'SEED',
    values: ['demo', 'empty'],
    help: 'Contents of a new folder: demo (default, with samples) or empty.',
  },
  config: { value: 'FILE', help: 'JSON file with settings and clients. SIGHUP reads it again.' },
  'base-url': { value: 'URL', help: 'Public address of the library behind a proxy.' },
} as const satisfies Record<string, OptionSpec>;

// The service is a program of its own, which this process becomes: one process to watch, stop and limit.
export const serviceCommand = defineCommand<{ args: string[] }>({
  name: 'service',
  operands: '--data DIR',
  summary: 'Run a library service on this computer, until you stop it.',
  options: OPTIONS,
  read(values, operands) {
    noOperands(operands);
    requiredText(values, 'data');
    const given = Object.keys(OPTIONS).map((name) => [name, optionText(values, name)] as const);
    return { args: given.flatMap(([name, value]) => (value === null ? [] : [`--${name}=${value}`])) };
  },
  run: runService,
});

/** Never returns: the service ends the process. Exit code 0 after a signal, 1 when it can't start, 2 for wrong usage. */
async function runService({ output }: RunContext, { args }: { args: readonly string[] }): Promise<ExitCode> {
  const { serve } = createRequire(import.meta.url)(PROGRAM) as ServiceProgram;
  await serve('mediadesk service', output.quiet ? [...args, '--quiet'] : args);
  return new Promise<never>(() => {});
}
