import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { LINK_HOURS } from './accounts/links.ts';
import { readLanguageFiles } from './languages/language-files.ts';
import { createLanguages, type Languages } from './languages/languages.ts';
import { type OperateOptions, readListenAddress } from './operate/operate-options.ts';
import { emailAddress } from './resources/users/user-write.ts';
import { createLog } from './site/log.ts';
import { printError, printRecord } from './site/standard-output.ts';
import { startFailureText } from './site/start-failure.ts';
import { type RunningService, type ServiceOptions, startService } from './start-service.ts';

/** The options of every start. */
export const OPTIONS = {
  port: { type: 'string', default: '0' },
  data: { type: 'string' },
  seed: { type: 'string' },
  'first-user': { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  config: { type: 'string' },
  'base-url': { type: 'string' },
  operations: { type: 'string' },
  'reserve-mib': { type: 'string', default: '1024' },
  log: { type: 'string' },
  'drain-seconds': { type: 'string', default: '0' },
  languages: { type: 'string' },
  'take-storage': { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig;

/** `OPTIONS`, as a usage line shows them. */
export const OPTIONS_USAGE =
  '--port N|0 --data DIR [--seed demo|empty] [--first-user EMAIL] [--host H] [--config FILE] [--base-url URL] [--operations ADDRESS:PORT] [--reserve-mib N] [--log FILE|-] [--drain-seconds N] [--languages DIR] [--take-storage]';

/** An upload may take a day, and so may its end. */
const MAX_DRAIN_S = 86_400;
const MAX_RESERVE_MIB = 1024 ** 3;

type Values = Record<string, string | boolean | undefined>;

/** The link itself is in the printed line only: what is written to standard error ends up in logs. */
const FIRST_USER_NOTICE = `The first user has no password yet. Set it at the first_user_link of the printed line, within ${LINK_HOURS} hours.`;

/** Prints everything that is wrong with a start, each on a line of its own, and ends with 2. */
export function fail(usage: string, ...problems: readonly string[]): never {
  for (const line of problems.flatMap((problem) => problem.split('\n'))) printError(line);
  printError(usage);
  process.exit(2);
}

/** What a command line asks for. With `problems`, the options are no use. */
interface CommandLine {
  options: Omit<ServiceOptions, 'config'>;
  values: Values;
  problems: string[];
}

/** Reads the command line; `spec` contains `OPTIONS`. Ends with 2 when it has unknown options. */
export function readCommandLine(
  usage: string,
  spec: ParseArgsOptionsConfig,
  args: readonly string[] = process.argv.slice(2),
): CommandLine {
  const values = readValues(usage, spec, args);
  const problems: string[] = [];
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.push('--port must be a number from 0 to 65535.');
  if (!values.data) problems.push('--data is required.');
  const firstUser = values['first-user'] === undefined ? undefined : readEmail(problems, String(values['first-user']));
  const seed = String(values.seed ?? (firstUser === undefined ? 'demo' : 'empty'));
  if (!/^(demo|empty|bulk:\d+:\d+)$/.test(seed)) problems.push('--seed must be demo or empty.');
  const options = {
    dataDir: String(values.data),
    host: String(values.host),
    port,
    baseUrl: values['base-url'] === undefined ? undefined : readBaseUrl(problems, String(values['base-url'])),
    seed,
    firstUser,
    takesStorage: values['take-storage'] === true,
    operate: readOperate(problems, values),
    languages: readLanguages(problems, values.languages),
    log: createLog(values.quiet === true),
  };
  return { options, values, problems };
}

function readValues(usage: string, options: ParseArgsOptionsConfig, args: readonly string[]): Values {
  try {
    return parseArgs({ options, args: [...args] }).values as Values;
  } catch (error) {
    return fail(usage, error instanceof Error ? error.message : String(error));
  }
}

function readOperate(problems: string[], values: Values): OperateOptions {
  const drainSeconds = readNumber(problems, values, 'drain-seconds', MAX_DRAIN_S);
  const reserveMib = readNumber(problems, values, 'reserve-mib', MAX_RESERVE_MIB);
  if (values.log === '') problems.push('--log must be a file, or - for standard error.');
  const operations = values.operations === undefined ? undefined : readListenAddress(String(values.operations));
  if (values.operations !== undefined && operations === undefined) problems.push('--operations must be ADDRESS:PORT.');
  return {
    ...(operations === undefined ? {} : { operations }),
    ...(values.log === undefined ? {} : { requestLog: String(values.log) }),
    drainMs: drainSeconds * 1000,
    reserveBytes: reserveMib * 1024 * 1024,
  };
}

function readNumber(problems: string[], values: Values, name: string, max: number): number {
  const text = String(values[name]);
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > max) problems.push(`--${name} must be a whole number from 0 to ${max}.`);
  return number;
}

/** Returns the built-in languages and those of a folder. */
function readLanguages(problems: string[], folder: string | boolean | undefined): Languages {
  if (typeof folder !== 'string') return createLanguages();
  const { own, problems: found } = readLanguageFiles(folder);
  problems.push(...found);
  return createLanguages(own);
}

function readEmail(problems: string[], text: string): string {
  if (!emailAddress.safeParse(text).success) problems.push('--first-user must be an e-mail address.');
  return text;
}

/** Returns the public origin behind a proxy. It has no path, because all routes begin at the root. */
function readBaseUrl(problems: string[], text: string): string {
  const url = URL.parse(text);
  const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin) problems.push('--base-url must be an http(s) address without a path.');
  return isOrigin ? url.origin : text;
}

/** Returns the signals that stop the service. Windows has two more: Ctrl-Break, and a closed console (SIGHUP). */
export function stopSignals(platform: string): readonly NodeJS.Signals[] {
  return platform === 'win32' ? ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGTERM', 'SIGINT'];
}

/**
 * Starts the service and prints its line; ends with 1 when it can't start. SIGTERM and SIGINT stop it, after the requests under way as far
 * as the options give them time. `onHangUp`: what SIGHUP
 * does, except on Windows, where it means that the console is closed.
 */
export async function runService(
  options: ServiceOptions,
  onHangUp?: (service: RunningService) => Promise<void>,
): Promise<void> {
  try {
    const service = await startService(options);
    let cutting: AbortController | undefined;
    // A second signal ends the wait for the requests under way.
    const stop = () => {
      if (cutting !== undefined) {
        cutting.abort();
        return;
      }
      cutting = new AbortController();
      endService(service, cutting.signal).then(
        () => process.exit(0),
        (error) => {
          options.log('the service did not stop cleanly', { error: String(error) });
          process.exit(1);
        },
      );
    };
    for (const name of stopSignals(process.platform)) process.on(name, stop);
    if (process.platform !== 'win32' && (onHangUp !== undefined || options.operate?.requestLog !== undefined)) {
      process.on('SIGHUP', () => {
        service.reopenLog();
        void onHangUp?.(service);
      });
    }
    printRecord(service.ready);
    if (service.ready.first_user_link !== undefined) printError(FIRST_USER_NOTICE);
  } catch (error) {
    printError(`The service could not start: ${startFailureText(error)}`);
    process.exit(1);
  }
}

async function endService(service: RunningService, signal: AbortSignal): Promise<void> {
  await service.drain(signal);
  await service.stop();
}
