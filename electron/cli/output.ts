import type { AppErrorData } from '../../shared/contract/app-error.ts';
import { afterCommand } from './next-step.ts';
import { printable } from './text-format.ts';

export interface OutputStreams {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

/**
 * What a command says. Results go to standard output, as text or as one JSON object a line; remarks and errors go to
 * standard error.
 */
export class Output {
  readonly json: boolean;
  readonly #streams: OutputStreams;

  constructor(streams: OutputStreams, json: boolean) {
    this.#streams = streams;
    this.json = json;
  }

  /** A line for people; with --json, nothing. */
  line(text: string): void {
    if (!this.json) this.#streams.stdout.write(`${text}\n`);
  }

  /** A record for programs; without --json, nothing. */
  record(data: Record<string, unknown>): void {
    if (this.json) this.#streams.stdout.write(`${JSON.stringify(data)}\n`);
  }

  /** A document as it is, whatever the mode. */
  document(text: string): void {
    this.#streams.stdout.write(text);
  }

  /** A remark for people that is no result; with --json, nothing. */
  note(text: string): void {
    if (!this.json) this.#streams.stderr.write(`${text}\n`);
  }

  /** Something that a person should know and that does not end the command. */
  notice(notice: AppErrorData): void {
    if (this.json) this.record({ notice });
    else this.#streams.stderr.write(errorText(notice));
  }

  /** What went wrong, and what can be done about it. */
  error(error: AppErrorData): void {
    this.#streams.stderr.write(this.json ? `${JSON.stringify({ error })}\n` : errorText(error));
  }
}

/** Facts of an error that help a person to see the cause, in words. */
function errorFacts({ details }: Pick<AppErrorData, 'details'>): string[] {
  const { status, message, errors, ...rest } = details ?? {};
  const facts: string[] = [];
  if (typeof status === 'number') {
    const words = typeof message === 'string' && message !== '' ? `: ${message}` : '';
    facts.push(`The library answered ${status}${words}`);
  }
  if (Array.isArray(errors)) facts.push(...errors.filter((each) => typeof each === 'string'));
  for (const name of ['reason', 'url', 'path', 'file']) {
    // The path of a request is for reports; that of a file is for people.
    if (typeof rest[name] === 'string' && !(name === 'path' && status !== undefined)) {
      facts.push(`${name}: ${rest[name]}`);
    }
  }
  return facts.map(printable);
}

/** Facts and next step, a line each, indented. */
function below(error: AppErrorData): string {
  const lines = [...errorFacts(error), ...(error.nextStep ? [printable(error.nextStep)] : [])];
  return lines.map((line) => `  ${line}\n`).join('');
}

/** Message, known facts and next step, a line each. */
export function errorText(error: AppErrorData): string {
  return `mediadesk: ${printable(error.message)}\n${below(error)}`;
}

/** A file that failed: its path, the error, known facts and the next step. */
export function failureText(path: string, error: AppErrorData | null): string {
  const details = error === null ? '' : below(afterCommand(error, 'upload-failed'));
  return `Failed: ${printable(path)}: ${printable(error?.message ?? '')}\n${details}`.trimEnd();
}
