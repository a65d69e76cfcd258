import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { noOperands, type OptionSpec, type OptionValues, optionText, requiredText } from '../arguments/options.ts';
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
  'first-user': {
    value: 'EMAIL',
    help: 'A new folder gets one administrator without a password; the printed line has a link to set it.',
  },
  config: { value: 'FILE', help: 'JSON file with settings and clients. SIGHUP reads it again.' },
  'base-url': { value: 'URL', help: 'Public address of the library behind a proxy.' },
  operations: {
    value: 'ADDRESS:PORT',
    help: 'Also serve /live, /ready and /metrics here. Without an address: 127.0.0.1.',
  },
  'reserve-mib': {
    value: 'N',
    help: '/ready fails and new files are refused when less than N MiB are free. Default: 1024.',
  },
  log: { value: 'FILE', help: 'Log each request, as a line of JSON. “-” is standard error.' },
  'drain-seconds': {
    value: 'N',
    help: 'Time in which requests and uploads may end after SIGTERM or Ctrl-C. Default: 30; 0 cuts them.',
  },
  languages: { value: 'DIR', help: 'Folder with more languages for the pages, such as fr.json.' },
  'take-storage': { value: null, help: 'Start although the objects in the object store belong to another library.' },
} as const satisfies Record<string, OptionSpec>;

/** Seconds, unless the option says otherwise. */
const DRAIN_S = 30;
/** The environment variables in place of options, for units and containers. */
const ENVIRONMENT = {
  MEDIADESK_DATA: 'data',
  MEDIADESK_PORT: 'port',
  MEDIADESK_HOST: 'host',
  MEDIADESK_SEED: 'seed',
  MEDIADESK_FIRST_USER: 'first-user',
  MEDIADESK_SERVICE_CONFIG: 'config',
  MEDIADESK_BASE_URL: 'base-url',
  MEDIADESK_OPERATIONS: 'operations',
  MEDIADESK_RESERVE_MIB: 'reserve-mib',
  MEDIADESK_LOG: 'log',
  MEDIADESK_DRAIN_SECONDS: 'drain-seconds',
  MEDIADESK_LANGUAGES: 'languages',
} as const satisfies Record<string, keyof typeof OPTIONS>;

// The service is a program of its own, which this process becomes: one process to watch, stop and limit.
export const serviceCommand = defineCommand<{ args: string[] }>({
  name: 'service',
  operands: '--data DIR',
  summary: 'Run a library service on this computer, until you stop it.',
  options: OPTIONS,
  read(values, operands) {
    noOperands(operands);
    if (!process.env.MEDIADESK_DATA) requiredText(values, 'data');
    const given = Object.keys(OPTIONS).map((name) => [name, optionText(values, name)] as const);
    const asked = given.flatMap(([name, value]) => (value === null ? [] : [`--${name}=${value}`]));
    // The last of two equal options counts.
    return {
      args: [
        `--drain-seconds=${DRAIN_S}`,
        ...fromEnvironment(values, process.env),
        ...asked,
        ...(values['take-storage'] === true ? ['--take-storage'] : []),
      ],
    };
  },
  run: becomeService,
});

/** Adds the options for all commands that the service knows. A command about its data begins with its verb. */
function withGlobals([first = '', ...rest]: readonly string[], { json, quiet }: RunContext['output']): string[] {
  const isVerb = !first.startsWith('-');
  const globals = [...(quiet ? ['--quiet'] : []), ...(json && isVerb ? ['--json'] : [])];
  return isVerb ? [first, ...globals, ...rest] : [...globals, first, ...rest];
}

function fromEnvironment(values: OptionValues, env: NodeJS.ProcessEnv): string[] {
  return Object.entries(ENVIRONMENT).flatMap(([variable, option]) => {
    const text = env[variable];
    return text && optionText(values, option) === null ? [`--${option}=${text}`] : [];
  });
}

/**
 * Never returns: the service ends the process. Exit code 0 after a signal, 1 when it can't start, 2 for wrong usage; commands about
 * its data have the same codes for success, a problem and wrong usage.
 */
export async function becomeService({ output }: RunContext, { args }: { args: readonly string[] }): Promise<ExitCode> {
  const { serve } = createRequire(import.meta.url)(PROGRAM) as ServiceProgram;
  await serve('mediadesk service', withGlobals(args, output));
  return new Promise<never>(() => {});
}
