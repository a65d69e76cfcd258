import { parseArgs } from 'node:util';
import type { LinkSite } from './accounts/links.ts';
import { openAudit } from './audit/audit.ts';
import { type CommandLibrary, commandLibrary, hasNoDatabase, openUnlessInUse } from './command-database.ts';
import { fail } from './command-line.ts';
import { localUrl, readOperations } from './site/data-dir.ts';
import { printError, printFailure, printRecord } from './site/standard-output.ts';

/** What went wrong: a code for programs, and a sentence. */
export interface Failure {
  code: 'no-library' | 'no-user' | 'no-operations' | 'no-base-url' | 'last-administrator' | 'refused';
  message: string;
}

/** A command about one account, such as `reset-link`. */
export interface AccountCommand<Result extends object> {
  /** The path at the second listener. */
  path: string;
  /** Acts in the database; undefined: no account has the address. */
  act(site: LinkSite, email: string): Promise<Result | Failure | undefined>;
  /** What is wrong with a result, which may come from the service. */
  check?(result: Result): Failure | undefined;
  /** Prints the result for people. */
  print(result: Result): void;
  /** The result for programs. */
  record(result: Result): object;
}

/**
 * Runs a command about the account with an e-mail address: through the service when it runs with `--operations`, otherwise in the database.
 * Returns the exit code: 0 for success, 1 for a problem, 2 for wrong usage (which ends the process). `started`: how the user started it.
 */
export async function runAccountCommand<Result extends object>(
  started: string,
  args: readonly string[],
  command: AccountCommand<Result>,
): Promise<number> {
  const usage = `Usage: ${started} --data DIR [--config FILE] EMAIL [--json]`;
  const { library, email, isJson } = readArguments(usage, args);
  let outcome: Result | Failure;
  try {
    outcome = await outcomeOf(library, email, command);
  } catch (error) {
    printFailure(error, isJson);
    return 1;
  }
  const failure = isFailure(outcome) ? outcome : command.check?.(outcome);
  if (failure !== undefined || isFailure(outcome)) {
    if (isJson) printRecord({ error: failure });
    else printError(failure?.message ?? '');
    return 1;
  }
  if (isJson) printRecord({ ...command.record(outcome) });
  else command.print(outcome);
  return 0;
}

const isFailure = (outcome: object): outcome is Failure => 'code' in outcome;

function readArguments(usage: string, args: readonly string[]) {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;
  const options = { data: text, config: text, json: flag, quiet: flag } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [email] = positionals;
    if (!values.data) return fail(usage, '--data is required.');
    if (email === undefined || positionals.length > 1) return fail(usage, 'Name one e-mail address.');
    return { library: commandLibrary(values.data, values.config), email, isJson: values.json === true };
  } catch (error) {
    return fail(usage, (error as Error).message);
  }
}

async function outcomeOf<Result extends object>(
  library: CommandLibrary,
  email: string,
  command: AccountCommand<Result>,
): Promise<Result | Failure> {
  const { dataDir } = library;
  if (hasNoDatabase(library)) {
    // The database of a running service may be on a server.
    if (readOperations(dataDir) !== undefined) return askService(dataDir, email, command);
    return { code: 'no-library', message: `There is no library in ${dataDir}.` };
  }
  const store = await openUnlessInUse(library);
  if (store === undefined) return askService(dataDir, email, command);
  try {
    await openAudit(store, Date.now);
    return (await command.act({ store, now: Date.now }, email)) ?? noUser(email);
  } finally {
    await store.close();
  }
}

async function askService<Result extends object>(
  dataDir: string,
  email: string,
  { path }: AccountCommand<Result>,
): Promise<Result | Failure> {
  const operations = readOperations(dataDir);
  if (operations === undefined) {
    const message =
      'The service runs without --operations. Stop it, or start it with --operations, then run the command again.';
    return { code: 'no-operations', message };
  }
  const headers = { authorization: `Bearer ${operations.token}` };
  const url = localUrl(operations.url, path);
  const answer = await fetch(url, { method: 'POST', headers, body: email }).catch(() => undefined);
  if (answer?.status === 200) return (await answer.json()) as Result;
  if (answer?.status === 404) return noUser(email);
  return { code: 'refused', message: 'The service does not answer this command. Run the command again.' };
}

const noUser = (email: string): Failure => ({ code: 'no-user', message: `No account has the address ${email}.` });
