import { type Config, NO_CONFIG, readConfig } from './app/config.ts';
import { fail, OPTIONS, OPTIONS_USAGE, readCommandLine, runService } from './command-line.ts';
import { printError, watchOutput } from './site/standard-output.ts';
import { languageProblem } from './start-service.ts';

/**
 * Runs the service of a command line until a signal ends it, or another command (`backup`, `verify`, `restore`, `audit`,
 * `move-blobs`, `move-database`, `work`, `reset-link`, `deactivate`, `reactivate`). `command`: how the user started it, for the usage line. Ends the
 * process with 2 when the command line is wrong, with 1 when the service can't start or
 * the output of a command can't be written.
 */
export async function serve(command: string, args: readonly string[]): Promise<void> {
  // Every file that the service or one of its tools writes is private.
  process.umask(0o077);
  const [verb, ...rest] = args;
  const run = await commandOf(verb, rest);
  if (run !== undefined) {
    const written = watchOutput();
    const code = await run(`${command} ${verb}`);
    const failure = await written();
    if (failure === undefined) process.exit(code);
    printError(`The output could not be written: ${failure.message}`);
    process.exit(1);
  }
  const usage = `Usage: ${command} ${OPTIONS_USAGE}`;
  const { options, values, problems } = readCommandLine(usage, OPTIONS, args);
  const file = typeof values.config === 'string' ? values.config : undefined;
  const config = file === undefined ? NO_CONFIG : configOf(file, problems);
  const unknown = options.languages === undefined ? undefined : languageProblem(options.languages, config);
  if (unknown !== undefined) problems.push(unknown);
  // All at once: who sets up a unit does not want to start it once for each mistake.
  if (problems.length > 0) fail(usage, ...problems);

  const { log } = options;
  await runService({ ...options, config }, async (service) => {
    if (file === undefined) return;
    // An invalid file changes nothing.
    try {
      await service.apply(readConfig(file));
      log('read the configuration again');
    } catch (error) {
      log('the configuration was not read again', { error: error instanceof Error ? error.message : String(error) });
    }
  });
}

/** Reads the configuration; adds what is wrong with it to `problems`. */
function configOf(file: string, problems: string[]): Config {
  try {
    return readConfig(file);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
    return NO_CONFIG;
  }
}

type Command = (command: string) => Promise<number>;

/** Returns what runs in place of the service: a function from how the user started it to the exit code. */
async function commandOf(verb: string | undefined, args: readonly string[]): Promise<Command | undefined> {
  if (verb === 'reset-link') {
    const { runResetLink } = await import('./reset-link-command.ts');
    return (command) => runResetLink(command, args);
  }
  if (verb === 'deactivate' || verb === 'reactivate') {
    const { runActivation } = await import('./activation-command.ts');
    return (command) => runActivation(command, verb, args);
  }
  if (verb === 'audit') {
    const { runAuditCommand } = await import('./audit-command.ts');
    return (command) => runAuditCommand(command, args);
  }
  if (verb === 'work') {
    const { runWork } = await import('./work-command.ts');
    return (command) => runWork(command, args);
  }
  if (verb === 'move-blobs') {
    const { runMove } = await import('./move-command.ts');
    return (command) => runMove(command, args);
  }
  if (verb === 'move-database') {
    const { runMoveDatabase } = await import('./move-database-command.ts');
    return (command) => runMoveDatabase(command, args);
  }
  if (verb !== 'backup' && verb !== 'verify' && verb !== 'restore') return undefined;
  const { runArchiveCommand } = await import('./archive-command.ts');
  return (command) => runArchiveCommand(command, verb, args);
}
