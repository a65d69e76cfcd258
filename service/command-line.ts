import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { LINK_HOURS } from './accounts/links.ts';
import { type ListenAddress, type OperateOptions, readListenAddress } from './operate/operate-options.ts';
import { emailAddress } from './resources/users/user-write.ts';
import { createLog } from './site/log.ts';
import { printError, printRecord } from './site/standard-output.ts';
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
  quiet: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig;

/** An upload may take a day, and so may its end. */
const MAX_DRAIN_S = 86_400;
const MAX_RESERVE_MIB = 1024 ** 3;

type Values = Record<string, string | boolean | undefined>;

/** The link itself is in the printed line only: what is written to standard error ends up in logs. */
const FIRST_USER_NOTICE = `The first user has no password yet. Set it at the first_user_link of the printed line, within ${LINK_HOURS} hours.`;

/** Prints what is wrong with the command line, and ends with 2. */
export function fail(usage: string, message: string): never {
  printError(message);
  printError(usage);
  process.exit(2);
}

/** Reads the command line; `spec` contains `OPTIONS`. Ends with 2 when it is wrong. */
export function readCommandLine(
  usage: string,
  spec: ParseArgsOptionsConfig,
  args: readonly string[] = process.argv.slice(2),
): { options: Omit<ServiceOptions, 'config'>; values: Values } {
  const values = readValues(usage, spec, args);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(usage, '--port must be a number from 0 to 65535.');
  if (!values.data) fail(usage, '--data is required.');
  const firstUser = values['first-user'] === undefined ? undefined : readEmail(usage, String(values['first-user']));
  const seed = String(values.seed ?? (firstUser === undefined ? 'demo' : 'empty'));
  if (!/^(demo|empty|bulk:\d+:\d+)$/.test(seed)) fail(usage, '--seed must be demo or empty.');
  const options = {
    dataDir: String(values.data),
    host: String(values.host),
    port,
    baseUrl: values['base-url'] === undefined ? undefined : readBaseUrl(usage, String(values['base-url'])),
    seed,
    firstUser,
    operate: readOperate(usage, values),
    log: createLog(values.quiet === true),
  };
  return { options, values };
}

function readValues(usage: string, options: ParseArgsOptionsConfig, args: readonly string[]): Values {
  try {
    return parseArgs({ options, args: [...args] }).values as Values;
  } catch (error) {
    return fail(usage, error instanceof Error ? error.message : String(error));
  }
}

function readOperate(usage: string, values: Values): OperateOptions {
  const drainSeconds = readNumber(usage, values, 'drain-seconds', MAX_DRAIN_S);
  const reserveMib = readNumber(usage, values, 'reserve-mib', MAX_RESERVE_MIB);
  if (values.log === '') fail(usage, '--log must be a file, or - for standard error.');
  const asked = {
    ...(values.operations === undefined ? {} : { operations: readOperations(usage, String(values.operations)) }),
    ...(values.log === undefined ? {} : { requestLog: String(values.log) }),
  };
  return { ...asked, drainMs: drainSeconds * 1000, reserveBytes: reserveMib * 1024 * 1024 };
}

function readOperations(usage: string, text: string): ListenAddress {
  return readListenAddress(text) ?? fail(usage, '--operations must be ADDRESS:PORT.');
}

function readNumber(usage: string, values: Values, name: string, max: number): number {
  const text = String(values[name]);
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > max) fail(usage, `--${name} must be a whole number from 0 to ${max}.`);
  return number;
}

function readEmail(usage: string, text: string): string {
  const { success } = emailAddress.safeParse(text);
  return success ? text : fail(usage, '--first-user must be an e-mail address.');
}

/** Returns the public origin behind a proxy. It has no path, because all routes begin at the root. */
function readBaseUrl(usage: string, text: string): string {
  const url = URL.parse(text);
  const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && `${url.origin}/` === url.href;
  return isOrigin ? url.origin : fail(usage, '--base-url must be an http(s) address without a path.');
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
export async function runService(options: ServiceOptions, onHangUp?: (service: RunningService) => void): Promise<void> {
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
        onHangUp?.(service);
      });
    }
    printRecord(service.ready);
    if (service.ready.first_user_link !== undefined) printError(FIRST_USER_NOTICE);
  } catch (error) {
    printError(`The service could not start: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

async function endService(service: RunningService, signal: AbortSignal): Promise<void> {
  await service.drain(signal);
  await service.stop();
}
