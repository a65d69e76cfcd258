import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type AuditFilter, auditPages } from './audit/audit-rows.ts';
import {
  type CommandLibrary,
  commandLibrary,
  databaseFile,
  hasNoDatabase,
  openUnlessInUse,
} from './command-database.ts';
import { fail } from './command-line.ts';
import { openIdleDatabase } from './database/snapshot.ts';
import { localUrl, readOperations } from './site/data-dir.ts';
import { printError, printRecords } from './site/standard-output.ts';
import { parseInstant } from './wire/query.ts';

const OPTIONS = {
  data: { type: 'string' },
  config: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  actor: { type: 'string' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

/** Lines that are printed at once. */
const PAGE = 500;
/** A service that sends nothing for this time does not answer. */
const SILENCE_MS = 60_000;

/**
 * Prints the rows of the audit as lines of JSON, oldest first: from the database, or through the service that runs on it. Returns the
 * exit code: 0, or 1 when it could not be read completely; ends the process with 2 for wrong usage. `command`: how the user started it.
 */
export async function runAuditCommand(command: string, args: readonly string[]): Promise<number> {
  const usage = `Usage: ${command} --data DIR [--config FILE] [--since TIME] [--until TIME] [--actor USER]`;
  const { values, library } = readArguments(usage, args);
  const filter: AuditFilter = {
    since: readTime(usage, 'since', values.since),
    until: readTime(usage, 'until', values.until),
    actor: values.actor,
  };
  try {
    await printAudit(library, filter);
    return 0;
  } catch (error) {
    printError((error as Error).message);
    return 1;
  }
}

function readArguments(usage: string, args: readonly string[]) {
  try {
    const { values } = parseArgs({ options: OPTIONS, args: [...args] });
    return { values, library: commandLibrary(values.data ?? fail(usage, '--data is required.'), values.config) };
  } catch (error) {
    return fail(usage, (error as Error).message);
  }
}

/** A day is its beginning in UTC. */
function readTime(usage: string, name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  return seconds === undefined
    ? fail(usage, `--${name} must be a day or a time, such as 2026-11-29 or 2026-11-29T14:00:00Z.`)
    : seconds * 1000;
}

async function printAudit(library: CommandLibrary, filter: AuditFilter): Promise<void> {
  const { dataDir } = library;
  if (hasNoDatabase(library)) {
    // The database of a running service may be on a server.
    if (readOperations(dataDir) !== undefined) return printThroughService(dataDir, filter);
    throw new Error(`There is no library in ${dataDir}.`);
  }
  const idle = await openToRead(library);
  if (idle === undefined) return printThroughService(dataDir, filter);
  try {
    for await (const page of auditPages(idle, filter)) await printRecords(page);
  } finally {
    await idle.close();
  }
}

/** Opens the database; undefined while a service uses it. The schema of a file stays as it is. */
async function openToRead(library: CommandLibrary) {
  if (library.config.database !== undefined) return openUnlessInUse(library);
  const idle = openIdleDatabase(databaseFile(library));
  if (idle === 'in-use') return undefined;
  const isThere = (await idle.all(`SELECT 1 FROM sqlite_schema WHERE name = 'audit'`)).length > 0;
  if (isThere) return idle;
  idle.close();
  throw new Error('An earlier version of the service made this library. It has no audit yet.');
}

async function printThroughService(dataDir: string, filter: AuditFilter): Promise<void> {
  const operations = readOperations(dataDir);
  if (operations === undefined) {
    throw new Error(
      'The service runs without --operations. Stop it, or start it with --operations, then run the command again.',
    );
  }
  const url = localUrl(operations.url, '/audit');
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const asked = request(url, { headers: { authorization: `Bearer ${operations.token}` }, agent: false });
  const answer = await answerOf(asked);
  if (answer.statusCode !== 200) {
    asked.destroy();
    throw new Error('The service does not accept this command.');
  }
  let page: unknown[] = [];
  let isComplete = false;
  const failed = new Promise<never>((_resolve, reject) => answer.on('error', reject));
  failed.catch(() => {});
  for await (const line of createInterface({ input: answer })) {
    const row = JSON.parse(line) as { end?: true };
    if (row.end === true) isComplete = true;
    else page.push(row);
    if (page.length < PAGE && !isComplete) continue;
    await printRecords(page);
    page = [];
  }
  if (!isComplete) throw new Error('The service ended before the audit was complete. Run the command again.');
}

function answerOf(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.setTimeout(SILENCE_MS, () => asked.destroy());
    asked.on('error', () => reject(new Error('The service does not answer.')));
    asked.on('response', resolve);
    asked.end();
  });
}
