import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { terminalJson } from '../../../shared/api/terminal-text.ts';
import type { Clock } from '../../engine/ports/clock.ts';
import type { Logger } from '../../engine/ports/logger.ts';
import { renameFileNow } from '../../engine/ports/system/rename-file.ts';
import { makePrivate } from '../../engine/store/private-files.ts';
import { printError } from '../main-output.ts';

const FILE = 'mediadesk.log';
const PREVIOUS_FILE = 'mediadesk.previous.log';
/** The maximum size of each of the two files: enough for weeks, and small enough to send. */
const MAX_BYTES = 4 * 1024 * 1024;
const FLUSH_AFTER_MS = 500;
const FLUSH_AT_LINES = 200;

export interface FileLoggerOptions {
  folder: string;
  clock: Clock;
  /** Levels below this are not written. */
  level: 'debug' | 'info';
  /** Gets every logged line, without a line break. */
  echo?: (line: string) => void;
}

export interface FileLogger extends Logger {
  /** Writes the lines in memory. Call before the process ends. */
  flush(): void;
}

/**
 * Creates the writer of a log file of JSON lines, which a user can attach to a report. Lines are collected for half a second, so
 * that a busy queue does not write them one by one; warnings and errors are written immediately. A failed write must never stop
 * the uploads, so it is reported once on stderr.
 */
export function createFileLogger({ folder, clock, level, echo }: FileLoggerOptions): FileLogger {
  const file = join(folder, FILE);
  let waiting: string[] = [];
  let cancelFlush: (() => void) | null = null;
  let sizeBytes: number | null = null;
  let complained = false;

  function sizeOnDisk(): number {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  function flush(): void {
    cancelFlush?.();
    cancelFlush = null;
    if (waiting.length === 0) return;
    const text = waiting.join('');
    waiting = [];
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (sizeBytes === null) {
        // An earlier version or the user may have left the log readable for others.
        for (const name of [FILE, PREVIOUS_FILE]) makePrivate(join(folder, name));
        sizeBytes = sizeOnDisk();
      }
      if (sizeBytes > MAX_BYTES) {
        renameFileNow(file, join(folder, PREVIOUS_FILE));
        sizeBytes = 0;
      }
      appendFileSync(file, text, { mode: 0o600 });
      sizeBytes += Buffer.byteLength(text);
    } catch (error) {
      sizeBytes = null;
      if (!complained) printError(`The log can't be written: ${String(error)}`);
      complained = true;
    }
  }

  function write(name: 'debug' | 'info' | 'warn' | 'error', event: string, fields: Record<string, unknown> = {}): void {
    if (name === 'debug' && level !== 'debug') return;
    const line = terminalJson({ at: new Date(clock.now()).toISOString(), level: name, event, ...fields });
    echo?.(line);
    waiting.push(`${line}\n`);
    if (name === 'warn' || name === 'error' || waiting.length >= FLUSH_AT_LINES) flush();
    else cancelFlush ??= clock.schedule(FLUSH_AFTER_MS, flush);
  }

  return {
    debug: (event, fields) => write('debug', event, fields),
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    error: (event, fields) => write('error', event, fields),
    flush,
  };
}
