import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { makeBackup } from './archive/backup.ts';
import { restoreBackup } from './archive/restore.ts';
import { type VerifyReport, verifyBackup } from './archive/verify.ts';
import { fail } from './command-line.ts';
import { printError, printFailure, printLine, printRecord } from './site/standard-output.ts';

/** Missing files and problems that are printed; with --json all that were found. */
const MAX_PRINTED = 20;

type Verb = 'backup' | 'verify' | 'restore';
type Values = Record<string, string | boolean | undefined>;

const SPECS: Readonly<Record<Verb, { usage: string; options: ParseArgsOptionsConfig; operands: number }>> = {
  backup: {
    usage: '--data DIR --to DIR [--copy] [--json]',
    options: { data: { type: 'string' }, to: { type: 'string' }, copy: { type: 'boolean' } },
    operands: 0,
  },
  verify: { usage: 'DIR [--json]', options: {}, operands: 1 },
  restore: {
    usage: '--from DIR --data DIR [--accept-missing] [--json]',
    options: { from: { type: 'string' }, data: { type: 'string' }, 'accept-missing': { type: 'boolean' } },
    operands: 0,
  },
};

/**
 * Runs a command about backups. Returns the exit code: 0 for a whole backup or a restored library, 1 for a problem, 2 for wrong
 * usage (which ends the process). `command`: how the user started it.
 */
export async function runArchiveCommand(command: string, verb: Verb, args: readonly string[]): Promise<number> {
  const { values, operands } = readArguments(command, verb, args);
  const isJson = values.json === true;
  try {
    if (verb === 'verify') return await verify(operands[0] ?? '', isJson);
    return verb === 'backup' ? await backup(values, isJson) : await restore(values, isJson);
  } catch (error) {
    printFailure(error, isJson);
    return 1;
  }
}

function readArguments(command: string, verb: Verb, args: readonly string[]): { values: Values; operands: string[] } {
  const spec = SPECS[verb];
  const usage = `Usage: ${command} ${spec.usage}`;
  const options = { ...spec.options, json: { type: 'boolean' }, quiet: { type: 'boolean' } } as const;
  let parsed: { values: Values; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    return fail(usage, (error as Error).message);
  }
  const { values, positionals } = parsed;
  for (const [name, { type }] of Object.entries(spec.options)) {
    if (type === 'string' && !values[name]) fail(usage, `--${name} is required.`);
  }
  if (positionals.length !== spec.operands)
    fail(usage, spec.operands === 1 ? 'Name one backup.' : 'Too many arguments.');
  return { values, operands: positionals };
}

async function backup(values: Values, isJson: boolean): Promise<number> {
  const report = await makeBackup({
    dataDir: String(values.data),
    to: String(values.to),
    copies: values.copy === true,
  });
  const { missing } = report;
  if (isJson) printRecord(report);
  else {
    printLine(
      `Backup: ${report.backup} (${report.files} files, ${sizeText(report.bytes)}; ${report.linked} are hard links)`,
    );
    if (report.storage !== null)
      printLine(`The files are not part of it: they stay in the object store (${report.storage}).`);
    for (const name of missing.slice(0, MAX_PRINTED)) printError(`Missing in the library: ${name}`);
    if (missing.length > 0) printError(`Files that are missing in the library: ${missing.length}`);
  }
  return missing.length === 0 ? 0 : 1;
}

async function verify(dir: string, isJson: boolean): Promise<number> {
  const { report } = await verifyBackup(dir);
  if (isJson) printRecord(report);
  else printReport(report);
  return report.is_whole ? 0 : 1;
}

function printReport(report: VerifyReport): void {
  for (const { code, name, detail } of report.problems.slice(0, MAX_PRINTED)) {
    printError(`PROBLEM ${[code, name, detail].filter((part) => part !== undefined).join(' ')}`);
  }
  for (const name of report.orphans.slice(0, MAX_PRINTED)) printLine(`Not in the database: ${name}`);
  const contents = `${report.files} files, ${sizeText(report.bytes)}, made at ${report.made_at ?? 'an unknown time'}`;
  if (report.is_whole) printLine(`Whole backup: ${contents}`);
  else printError(`Not a whole backup: ${contents}; problems: ${report.problem_count}`);
}

async function restore(values: Values, isJson: boolean): Promise<number> {
  const options = {
    from: String(values.from),
    dataDir: String(values.data),
    acceptsMissing: values['accept-missing'] === true,
  };
  const report = await restoreBackup(options, (refused) => (isJson ? printRecord(refused) : printReport(refused)));
  if (isJson) printRecord(report);
  else {
    printLine(`Restored: ${report.restored} (${report.files} files, ${sizeText(report.bytes)}; epoch ${report.epoch})`);
    if (report.storage !== null) {
      printLine(`Its files are in the object store (${report.storage}). Start it once with --take-storage.`);
    }
  }
  return 0;
}

function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
