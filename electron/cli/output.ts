import type { AppErrorData } from '../../shared/contract/app-error.ts';
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

/** Facts that help a person to see the cause, in the order in which they are told. */
const TOLD_DETAILS = ['reason', 'path', 'status', 'text', 'problems', 'url', 'file'] as const;

/** Message, known facts and next step, a line each. */
export function errorText({ message, nextStep, details }: AppErrorData): string {
  const lines = [`mediadesk: ${printable(message)}`];
  for (const name of TOLD_DETAILS) {
    const value = details?.[name];
    if (typeof value === 'string' || typeof value === 'number') lines.push(`  ${name}: ${printable(String(value))}`);
    else if (Array.isArray(value)) lines.push(...value.map((each) => `  ${printable(String(each))}`));
  }
  if (nextStep) lines.push(`  ${printable(nextStep)}`);
  return `${lines.join('\n')}\n`;
}
