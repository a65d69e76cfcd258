import { NO_CONFIG, readConfig } from './app/config.ts';
import { fail, OPTIONS, readCommandLine, runService } from './command-line.ts';
import { printError, watchOutput } from './site/standard-output.ts';

/**
 * Runs the service of a command line until a signal ends it, or a command about backups (`backup`, `verify`, `restore`). `command`: how the user started it, for the usage line. Ends the
 * process with 2 when the command line is wrong, with 1 when the service can't start or
 * the output of a command can't be written.
 */
export async function serve(command: string, args: readonly string[]): Promise<void> {
  // Every file that the service or one of its tools writes is private.
  process.umask(0o077);
  const [verb, ...rest] = args;
  if (verb === 'backup' || verb === 'verify' || verb === 'restore') {
    const { runArchiveCommand } = await import('./archive-command.ts');
    const written = watchOutput();
    const code = await runArchiveCommand(`${command} ${verb}`, verb, rest);
    const failure = await written();
    if (failure === undefined) process.exit(code);
    printError(`The output could not be written: ${failure.message}`);
    process.exit(1);
  }
  const usage = `Usage: ${command} --port N|0 --data DIR [--seed demo|empty] [--host H] [--config FILE] [--base-url URL] [--operations ADDRESS:PORT] [--reserve-mib N] [--log FILE|-] [--drain-seconds N]`;
  const { options, values } = readCommandLine(usage, OPTIONS, args);
  const file = typeof values.config === 'string' ? values.config : undefined;

  function configOf() {
    if (file === undefined) return NO_CONFIG;
    try {
      return readConfig(file);
    } catch (error) {
      return fail(usage, error instanceof Error ? error.message : String(error));
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
}
