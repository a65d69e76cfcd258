import { fieldProblems, problemText } from '../../../shared/api/field-problems.ts';
import { terminalDocument, terminalJson } from '../../../shared/api/terminal-text.ts';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { afterCommand } from './next-step.ts';
import { type Style, styled } from './styles.ts';
import { printable, table } from './text-format.ts';

export interface OutputStreams {
  stdout: NodeJS.WritableStream & { isTTY?: boolean; writableNeedDrain?: boolean };
  stderr: NodeJS.WritableStream;
}

/** How the results of a command are written. */
export interface OutputMode {
  /** One JSON object a line instead of text. */
  json: boolean;
  /** Without notes: only results and errors. */
  quiet?: boolean;
}

interface OutputForm extends OutputMode {
  /** Whether texts on each stream have colours. */
  colors?: { stdout: boolean; stderr: boolean };
}

/**
 * Writes the output of a command. Results are written to standard output, as text or as one JSON object a line; notes and errors
 * to standard error. Every text may come from outside: it is made safe for a terminal here, and nowhere else. A text is one line.
 */
export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly #streams: OutputStreams;
  readonly #colors: { stdout: boolean; stderr: boolean };

  constructor(streams: OutputStreams, { json, quiet = false, colors }: OutputForm) {
    this.#streams = streams;
    this.#colors = colors ?? { stdout: false, stderr: false };
    this.json = json;
    this.quiet = quiet;
  }

  /** Writes a line for people; with --json, nothing. */
  line(text: string): void {
    if (!this.json) this.#write('stdout', text);
  }

  /** Writes rows as columns below the names of the columns; with --json or without rows, nothing. */
  table(header: readonly string[], rows: readonly (readonly string[])[]): void {
    if (this.json || rows.length === 0) return;
    const [first = '', ...others] = table([header, ...rows]);
    this.#write('stdout', first, 'heading');
    for (const line of others) this.#write('stdout', line);
  }

  /** Writes a record for programs; without --json, nothing. */
  record(data: Record<string, unknown>): void {
    if (this.json) this.#streams.stdout.write(`${terminalJson(data)}\n`);
  }

  /** Writes a document of several lines, in both modes: unchanged for a file or program, safe on a terminal. */
  document(text: string): void {
    this.#streams.stdout.write(this.#streams.stdout.isTTY ? terminalDocument(text) : text);
  }

  /** Resolves when standard output takes more: long results are not collected in memory for a slow reader. */
  async whenReady(): Promise<void> {
    const { stdout } = this.#streams;
    if (stdout.writableNeedDrain === true) await new Promise<void>((resolve) => stdout.once('drain', resolve));
  }

  /** Writes a value as a JSON document, in both modes: indented for people, one line with --json. */
  jsonDocument(value: unknown): void {
    this.#streams.stdout.write(`${terminalJson(value, this.json ? 0 : 2)}\n`);
  }

  /** Writes a note for people that is not a result; with --json or --quiet, nothing. */
  note(text: string): void {
    if (!this.json && !this.quiet) this.#write('stderr', text);
  }

  /** Writes a warning for people; with --json, nothing. */
  warning(text: string): void {
    if (!this.json) this.#write('stderr', text, 'notice');
  }

  /** Writes a problem that does not end the command. */
  notice(notice: AppErrorData): void {
    if (this.json) this.record({ notice });
    else this.#writeError(notice, 'notice');
  }

  /** Writes a problem as one line: a log shows each line with its own time. */
  alert(notice: AppErrorData): void {
    if (this.json) this.record({ notice });
    else this.warning(`mediadesk: ${[notice.message, notice.nextStep].filter(Boolean).join(' ')}`);
  }

  /** Writes an error with its next step. */
  error(error: AppErrorData): void {
    if (this.json) this.#streams.stderr.write(`${terminalJson({ error })}\n`);
    else this.#writeError(error, 'problem');
  }

  /** Writes a file that failed, with its error, details and the next step; with --json, nothing. */
  failure(path: string, error: AppErrorData | null): void {
    if (this.json) return;
    this.#write('stderr', `Failed: ${path}: ${error?.message ?? ''}`, 'problem');
    if (error !== null) this.#writeDetails(detailLines(afterCommand(error, 'upload-failed')));
  }

  #writeError(error: AppErrorData, style: Style): void {
    const [message = '', ...details] = errorLines(error);
    this.#write('stderr', `mediadesk: ${message}`, style);
    this.#writeDetails(details);
  }

  #writeDetails(lines: readonly string[]): void {
    for (const line of lines) this.#write('stderr', `  ${line}`);
  }

  #write(stream: 'stdout' | 'stderr', text: string, style: Style | null = null): void {
    const safe = printable(text);
    this.#streams[stream].write(`${style !== null && this.#colors[stream] ? styled(safe, style) : safe}\n`);
  }
}

/** The details that help the user, with their labels. */
const FACTS = [
  ['reason', 'Reason'],
  ['url', 'Address'],
  ['path', 'Path'],
  ['file', 'File'],
] as const;

/** Returns the details of an error that help the user to find the cause. */
function errorFacts({ details }: Pick<AppErrorData, 'details'>): string[] {
  const { status, message, errors, ...rest } = details ?? {};
  const facts: string[] = [];
  if (typeof status === 'number') {
    const words = typeof message === 'string' && message !== '' ? `: ${message}` : '';
    facts.push(`The library responded with status ${status}${words}`);
  }
  facts.push(...fieldProblems(errors).map(problemText));
  for (const [name, label] of FACTS) {
    // The path of a request belongs in reports; the path of a file helps the user.
    if (typeof rest[name] === 'string' && !(name === 'path' && status !== undefined)) {
      facts.push(`${label}: ${rest[name]}`);
    }
  }
  return facts;
}

/** Returns the details and the next step of an error, one line each. */
export function detailLines(error: AppErrorData): string[] {
  return [...errorFacts(error), ...(error.nextStep ? [error.nextStep] : [])];
}

/** Returns message, details and next step, one line each. */
export function errorLines(error: AppErrorData): string[] {
  return [error.message, ...detailLines(error)];
}
