import { parseArgs } from 'node:util';
import { readConfig } from './app/config.ts';
import { type CommandLibrary, commandLibrary, hasNoDatabase, openUnlessInUse } from './command-database.ts';
import { fail } from './command-line.ts';
import { type MoveReport, moveBlobs } from './objects/move-blobs.ts';
import { printError, printFailure, printLine, printRecord } from './site/standard-output.ts';
import type { StorageConfig } from './site/storage-settings.ts';
import { MoveError } from './storage/move-error.ts';

const PROGRESS_EVERY = 1000;
const MAX_PRINTED = 20;

interface Arguments {
  library: CommandLibrary;
  from: StorageConfig | undefined;
  to: StorageConfig | undefined;
  isJson: boolean;
}

/**
 * Moves the content of a library between the data directory and an object store. Returns the exit code: 0 when it was moved, or copied
 * while the service runs; 1 for a problem; 2 for wrong usage (which ends the process). `command`: how the user started it.
 */
export async function runMove(command: string, args: readonly string[]): Promise<number> {
  const { library, from, to, isJson } = readArguments(
    `Usage: ${command} --data DIR [--config FILE] --from disk|FILE --to disk|FILE [--json]`,
    args,
  );
  try {
    const { dataDir } = library;
    if (hasNoDatabase(library)) throw new MoveError('move.no-library', `There is no library in ${dataDir}.`);
    const onProgress = (done: number) => {
      if (!isJson && done % PROGRESS_EVERY === 0) printLine(`${done} files are at the new place.`);
    };
    // A process that shares the database uses the content, too.
    const { storage: _, ...config } = library.config;
    const open = () => openUnlessInUse({ dataDir, config });
    const report = await moveBlobs({ dataDir, from, to, open, onProgress });
    if (isJson) printRecord(report);
    else printReport(report);
    return report.missing.length === 0 ? 0 : 1;
  } catch (error) {
    printFailure(error, isJson);
    return 1;
  }
}

function readArguments(usage: string, args: readonly string[]): Arguments {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;
  const options = { data: text, config: text, from: text, to: text, json: flag, quiet: flag } as const;
  try {
    const { data, config, from, to, json } = parseArgs({ args: [...args], options }).values;
    if (!data || !from || !to) return fail(usage, '--data, --from and --to are required.');
    const library = commandLibrary(data, config);
    return { library, from: storageOf(from), to: storageOf(to), isJson: json === true };
  } catch (error) {
    return fail(usage, (error as Error).message);
  }
}

/** Reads a place: `disk`, or a configuration with the section `storage`. */
function storageOf(place: string): StorageConfig | undefined {
  if (place === 'disk') return undefined;
  const { storage } = readConfig(place);
  if (storage === undefined) throw new Error(`The configuration ${place} has no section “storage”.`);
  return storage;
}

function printReport({ state, from, to, copied, present, missing }: MoveReport): void {
  printLine(`Copied and compared: ${copied} files. Already there: ${present}.`);
  for (const name of missing.slice(0, MAX_PRINTED)) printError(`Missing in both places: ${name}`);
  if (missing.length > 0) printError(`Nothing was moved: ${missing.length} files are missing in ${from}.`);
  else if (state === 'moved')
    printLine(`The library has its content in ${to} now. Start it with this place. What is in ${from} can be deleted.`);
  else printLine('The service runs. Stop it and run the command again: it copies the rest and moves the library.');
}
