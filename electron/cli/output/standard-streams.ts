import { createInterface } from 'node:readline';
import type { Logger } from '../../engine/ports/logger.ts';
import { askHidden } from './ask-hidden.ts';
import { askLine } from './ask-line.ts';
import { Output, type OutputMode } from './output.ts';
import { createScreen, type Screen } from './screen.ts';
import { stderrLogger } from './stderr-logger.ts';
import { hasColors } from './styles.ts';

/** The standard streams of this process. Only modules of this folder write to them. */
const { stdin, stdout, stderr, env } = process;

/** Creates the output of a command on the standard streams. */
export function standardOutput(mode: OutputMode): Output {
  return new Output(
    { stdout, stderr },
    { ...mode, colors: { stdout: hasColors(stdout, env), stderr: hasColors(stderr, env) } },
  );
}

/** Returns the terminal that shows progress; null without one. */
export function standardScreen(): Screen | null {
  return stderr.isTTY ? createScreen(stderr) : null;
}

/** Returns how to ask for a text that isn't shown; null without a terminal. */
export function standardQuestion(): ((question: string) => Promise<string>) | null {
  return stdin.isTTY ? (question) => askHidden(question, stdin, stderr) : null;
}

/** Returns how to ask for a text that is shown; null without a terminal. The answer is null when the user ends the input. */
export function standardLineQuestion(): ((question: string, signal: AbortSignal) => Promise<string | null>) | null {
  return stdin.isTTY ? (question, signal) => askLine(question, stdin, stderr, signal) : null;
}

/** Reads the lines of standard input until the returned function is called. */
export function standardLines(events: { onLine(text: string): void; onEnd(): void }): () => void {
  const lines = createInterface({ input: stdin });
  let hasStopped = false;
  lines.on('line', events.onLine);
  lines.on('close', () => {
    if (!hasStopped) events.onEnd();
  });
  return () => {
    hasStopped = true;
    lines.close();
    stdin.pause();
  };
}

/** Creates the log of `--verbose`. */
export function standardLogger(): Logger {
  return stderrLogger(stderr);
}
