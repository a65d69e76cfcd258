import { enableCompileCache } from 'node:module';

enableCompileCache();
// Every file that the service or one of its tools writes is private.
process.umask(0o077);
const { fail, OPTIONS, readCommandLine, runService } = await import('./command-line.ts');
const { NO_CONFIG, readConfig } = await import('./app/config.ts');

const USAGE = `Usage: npm run -s service -- --port N|0 --data DIR [--seed demo|empty] [--host H] [--config FILE] [--base-url URL]`;

const { options, values } = readCommandLine(USAGE, OPTIONS);
const file = typeof values.config === 'string' ? values.config : undefined;

function configOf() {
  if (file === undefined) return NO_CONFIG;
  try {
    return readConfig(file);
  } catch (error) {
    return fail(USAGE, error instanceof Error ? error.message : String(error));
  }
}

const { log } = options;
await runService({ ...options, config: configOf() }, (service) => {
  if (file === undefined) return;
  // An invalid file changes nothing.
  try {
    service.apply(readConfig(file));
    log('read the configuration again');
  } catch (error) {
    log('the configuration was not read again', { error: error instanceof Error ? error.message : String(error) });
  }
});
