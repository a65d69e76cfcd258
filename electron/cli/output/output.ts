import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { afterCommand } from './next-step.ts';
import { printable } from './text-format.ts';

export interface OutputStreams {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

/**
 * Writes the output of a command. Results are written to standard output, as text or as one JSON object a line; notes and errors
 * to standard error.
 */
export class Output {
  readonly json: boolean;
  readonly #streams: OutputStreams;

  constructor(streams: OutputStreams, json: boolean) {
    this.#streams = streams;
    this.json = json;
  }

  /** Writes a line for people; with --json, nothing. */
  line(text: string): void {
    if (!this.json) this.#streams.stdout.write(`${text}\n`);
  }

  /** Writes a record for programs; without --json, nothing. */
  record(data: Record<string, unknown>): void {
    if (this.json) this.#streams.stdout.write(`${JSON.stringify(data)}\n`);
  }

  /** Writes a document unchanged, in both modes. */
  document(text: string): void {
    this.#streams.stdout.write(text);
  }

  /** Writes a note for people that is not a result; with --json, nothing. */
  note(text: string): void {
    if (!this.json) this.#streams.stderr.write(`${text}\n`);
  }

  /** Writes a problem that does not end the command. */
  notice(notice: AppErrorData): void {
    if (this.json) this.record({ notice });
    else this.#streams.stderr.write(errorText(notice));
  }

  /** Writes an error with its next step. */
  error(error: AppErrorData): void {
    this.#streams.stderr.write(this.json ? `${JSON.stringify({ error })}\n` : errorText(error));
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
  if (Array.isArray(errors)) facts.push(...errors.filter((each) => typeof each === 'string'));
  for (const [name, label] of FACTS) {
    // The path of a request belongs in reports; the path of a file helps the user.
    if (typeof rest[name] === 'string' && !(name === 'path' && status !== undefined)) {
      facts.push(`${label}: ${rest[name]}`);
    }
  }
  return facts.map(printable);
}

/** Returns the details and the next step of an error, one line each. */
export function detailLines(error: AppErrorData): string[] {
  return [...errorFacts(error), ...(error.nextStep ? [printable(error.nextStep)] : [])];
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

/** Returns message, details and next step, one line each. */
export function errorText(error: AppErrorData): string {
  return `mediadesk: ${printable(error.message)}\n${indented(detailLines(error))}`;
}

/** Returns the lines about a failed file: its path, the error, details and the next step. */
export function failureText(path: string, error: AppErrorData | null): string {
  const details = error === null ? '' : indented(detailLines(afterCommand(error, 'upload-failed')));
  return `Failed: ${printable(path)}: ${printable(error?.message ?? '')}\n${details}`.trimEnd();
}
