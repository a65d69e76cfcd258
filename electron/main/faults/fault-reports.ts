import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import { renameFileNow } from '../../engine/ports/system/rename-file.ts';

/** What a report says about the program. */
export interface ProgramFacts {
  version: string;
  electron: string;
  node: string;
  system: string;
}

/**
 * The reports about faults of the main process: texts in the folder `faults` of the profile, beside the dumps of crashes. Nothing is
 * sent: the user reads a report, and decides.
 */
export interface FaultReports {
  /**
   * The program starts. If the last run ended in order, its dumps are no news: Chromium also writes one when a process that is about to
   * end anyway fails, such as that of a sign-in page that was just closed.
   */
  beginRun(): void;
  /** The page of the main window crashed: its dump is news, although the program runs on. */
  noteCrash(): void;
  /** The program ends in order. */
  endRun(): void;
  /** Stores a report about an error that nothing handled. Never throws: a failed write is passed to `onFailed`. */
  write(kind: string, error: unknown, atMs: number): void;
  /** Returns one notice for each report and each crash that the user has not dismissed, the newest first. */
  unread(): AppErrorData[];
  /** The user has seen all of them: they stay in the folder, as long as they are among the newest. */
  markRead(): void;
}

const MOST_REPORTS = 5;
const MOST_LOG_BYTES = 32 * 1024;
const READ = '.read';
/** This empty file exists while the program runs, and after a crash until the user dismisses its notice. */
const RUN = 'run';

/** Creates the reports of a profile. `dumps`: where Chromium stores its dumps of crashes. */
export function createFaultReports(options: {
  folder: string;
  dumps: string;
  logFile: string;
  facts: ProgramFacts;
  onFailed(error: unknown): void;
}): FaultReports {
  const { folder, dumps, logFile, facts, onFailed } = options;

  function write(kind: string, error: unknown, atMs: number): void {
    const at = new Date(atMs).toISOString();
    const text = [
      `Mediadesk ${facts.version} (Electron ${facts.electron}, Node ${facts.node}, ${facts.system})`,
      `${at}: ${kind}`,
      '',
      describe(error),
      '',
      'The end of the log:',
      tail(logFile),
    ].join('\n');
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, `fault-${at.replaceAll(':', '-')}.txt`), text, { mode: 0o600 });
      const reports = names(folder, /^fault-.*\.txt(\.read)?$/);
      for (const old of reports.slice(MOST_REPORTS)) rmSync(join(folder, old), { force: true });
    } catch (failure) {
      onFailed(failure);
    }
  }

  const run = join(folder, RUN);
  let hasCrashed = false;
  /** A fault of these files prevents nothing else. */
  const attempt = (change: () => void) => {
    try {
      change();
    } catch (failure) {
      onFailed(failure);
    }
  };
  const markDumpsRead = () => {
    for (const path of crashDumps(dumps)) renameFileNow(path, path + READ);
  };

  return {
    beginRun() {
      hasCrashed = existsSync(run);
      // The file first: a dump that can't be renamed must not hide the next crash.
      attempt(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(run, '', { mode: 0o600 });
      });
      if (!hasCrashed) attempt(markDumpsRead);
    },
    noteCrash() {
      hasCrashed = true;
    },
    endRun() {
      if (!hasCrashed) attempt(() => rmSync(run, { force: true }));
    },
    write,
    unread: () => [
      ...names(folder, /^fault-.*\.txt$/).map((name) =>
        appError('app.fault', { details: { path: join(folder, name) } }).toData(),
      ),
      ...(hasCrashed ? crashDumps(dumps).map((path) => appError('app.crashed', { details: { path } }).toData()) : []),
    ],
    markRead: () =>
      attempt(() => {
        for (const name of names(folder, /^fault-.*\.txt$/))
          renameFileNow(join(folder, name), join(folder, name + READ));
        markDumpsRead();
        hasCrashed = false;
      }),
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\nCaused by: ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

/** Returns the names that match, the newest first: they begin with their time. */
function names(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => pattern.test(name))
      .sort()
      .reverse();
  } catch {
    // The folder does not exist before the first report.
    return [];
  }
}

/** Chromium puts dumps into one of these folders, depending on the system. */
function crashDumps(folder: string): string[] {
  return ['', 'pending', 'completed', 'new', 'reports'].flatMap((part) =>
    names(join(folder, part), /\.dmp$/).map((name) => join(folder, part, name)),
  );
}

function tail(file: string): string {
  try {
    const { size } = statSync(file);
    const text = readFileSync(file).subarray(Math.max(0, size - MOST_LOG_BYTES));
    return text.toString('utf8');
  } catch {
    return '(no log)';
  }
}
