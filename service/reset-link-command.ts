import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LINK_HOURS } from './accounts/links.ts';
import { lastBaseUrl, type ResetLink, resetLink } from './accounts/reset-link.ts';
import { openAudit } from './audit/audit.ts';
import { fail } from './command-line.ts';
import { openStore } from './database/database.ts';
import { isBusy } from './database/snapshot.ts';
import type { Store } from './database/store.ts';
import { localUrl, readOperations } from './site/data-dir.ts';
import { printError, printLine, printRecord } from './site/standard-output.ts';

/** What went wrong: a code for programs, and a sentence. */
interface Failure {
  code: 'no-library' | 'no-user' | 'no-operations' | 'no-base-url' | 'refused';
  message: string;
}

type Outcome = ResetLink | Failure;

/**
 * Makes a one-time link for a user who is locked out: through the service when it runs with `--operations`, otherwise in the database.
 * Returns the exit code: 0 when the link is printed, 1 for a problem, 2 for wrong usage (which ends the process). `command`: how the user
 * started it.
 */
export async function runResetLink(command: string, args: readonly string[]): Promise<number> {
  const usage = `Usage: ${command} --data DIR EMAIL [--json]`;
  const { dataDir, email, isJson } = readArguments(usage, args);
  const outcome = await makeLink(dataDir, email);
  if ('code' in outcome) {
    if (isJson) printRecord({ error: outcome });
    else printError(outcome.message);
    return 1;
  }
  if (isJson) printRecord({ ...outcome, hours: LINK_HOURS });
  else printLine(outcome.link);
  return 0;
}

function readArguments(usage: string, args: readonly string[]): { dataDir: string; email: string; isJson: boolean } {
  const options = { data: { type: 'string' }, json: { type: 'boolean' }, quiet: { type: 'boolean' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [email] = positionals;
    if (!values.data) return fail(usage, '--data is required.');
    if (email === undefined || positionals.length > 1) return fail(usage, 'Name one e-mail address.');
    return { dataDir: values.data, email, isJson: values.json === true };
  } catch (error) {
    return fail(usage, (error as Error).message);
  }
}

async function makeLink(dataDir: string, email: string): Promise<Outcome> {
  const file = join(dataDir, 'library.sqlite');
  if (!existsSync(file)) return { code: 'no-library', message: `There is no library in ${dataDir}.` };
  let store: Store;
  try {
    store = openStore(file);
  } catch (error) {
    if (isBusy(error)) return askService(dataDir, email);
    throw error;
  }
  try {
    const baseUrl = lastBaseUrl(store);
    if (baseUrl === undefined) {
      return {
        code: 'no-base-url',
        message: 'The service has never run on this library. Start it, then run the command.',
      };
    }
    openAudit(store, Date.now);
    return resetLink({ store, now: Date.now }, baseUrl, email) ?? noUser(email);
  } finally {
    store.close();
  }
}

async function askService(dataDir: string, email: string): Promise<Outcome> {
  const operations = readOperations(dataDir);
  if (operations === undefined) {
    const message =
      'The service runs without --operations. Stop it, or start it with --operations, then run the command again.';
    return { code: 'no-operations', message };
  }
  const url = localUrl(operations.url, '/reset-link');
  const headers = { authorization: `Bearer ${operations.token}` };
  const answer = await fetch(url, { method: 'POST', headers, body: email }).catch(() => undefined);
  if (answer?.status === 200) return (await answer.json()) as ResetLink;
  if (answer?.status === 404) return noUser(email);
  return { code: 'refused', message: 'The service does not answer this command. Run the command again.' };
}

const noUser = (email: string): Failure => ({ code: 'no-user', message: `No account has the address ${email}.` });
