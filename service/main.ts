import { enableCompileCache } from 'node:module';
import { parseArgs } from 'node:util';

enableCompileCache();
// Every file that the service or one of its tools writes is private.
process.umask(0o077);
const { startService } = await import('./start-service.ts');
const { NO_CONFIG, readConfig } = await import('./app/config.ts');
const { createLog } = await import('./site/log.ts');
const { printError, printRecord } = await import('./site/standard-output.ts');

const USAGE = `Usage: npm run -s service -- --port N|0 --data DIR [--seed demo|empty] [--host H] [--dialect reference|lean|strict] [--config FILE] [--base-url URL]`;

function fail(message: string): never {
  printError(message);
  printError(USAGE);
  process.exit(2);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        data: { type: 'string' },
        seed: { type: 'string', default: 'demo' },
        host: { type: 'string', default: '127.0.0.1' },
        dialect: { type: 'string' },
        config: { type: 'string' },
        'base-url': { type: 'string' },
        quiet: { type: 'boolean', default: false },
        'test-password-cost': { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function readDialect(name: string | undefined): 'reference' | 'lean' | 'strict' | undefined {
  if (name === undefined || name === 'reference' || name === 'lean' || name === 'strict') return name;
  return fail(`There is no dialect ${name}.`);
}

function configOf(file: string | undefined) {
  if (file === undefined) return NO_CONFIG;
  try {
    return readConfig(file);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the public origin behind a proxy. It has no path, because all routes begin at the root. */
function readBaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && ['http:', 'https:'].includes(url.protocol) && `${url.origin}/` === url.href;
  return isOrigin ? url.origin : fail('--base-url must be an http(s) address without a path.');
}

const values = readOptions();
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail('--port must be a number from 0 to 65535.');
if (!values.data) fail('--data is required.');
if (!/^(demo|empty|bulk:\d+:\d+)$/.test(values.seed)) fail('--seed must be demo or empty.');
const { host, seed } = values;
const options = {
  dataDir: values.data,
  host,
  port,
  baseUrl: readBaseUrl(values['base-url']),
  seed,
  config: configOf(values.config),
  dialect: readDialect(values.dialect),
  // The usage text does not mention this option: with its cost, the passwords of a stolen database are easy to find.
  ...(values['test-password-cost'] ? { passwordCost: { N: 2 ** 10, r: 8, p: 1 } } : {}),
  log: createLog(values.quiet),
};

try {
  const service = await startService(options);
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    service.stop().then(
      () => process.exit(0),
      (error) => {
        options.log('the service did not stop cleanly', { error: String(error) });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  printRecord(service.ready);
} catch (error) {
  printError(`The service could not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
