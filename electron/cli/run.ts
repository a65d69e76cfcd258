import { toAppError } from '../../shared/contract/app-error.ts';
import { UsageError } from './arguments/usage-error.ts';
import { helpText } from './help-text.ts';
import { EXIT, type ExitCode, exitCodeOf } from './output/exit-codes.ts';
import { afterCommand } from './output/next-step.ts';
import type { Output } from './output/output.ts';
import { standardOutput } from './output/standard-streams.ts';
import { outputModeOf, readCommandLine } from './read-command-line.ts';
import { readOptionDefaults } from './session/option-defaults.ts';
import { VERSION } from './session/version.ts';

/** Runs one command line and returns the exit code. Never throws. */
export async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  const output = standardOutput(outputModeOf(args));
  try {
    const line = readCommandLine(args, readOptionDefaults);
    if (line.kind === 'command') return await line.command.run({ globals: line.globals, output });
    if (line.kind === 'version') {
      output.document(`${VERSION}\n`);
      return EXIT.complete;
    }
    output.document(helpText(line.topic));
    return args.length === 0 ? EXIT.usage : EXIT.complete;
  } catch (thrown) {
    if (thrown instanceof UsageError) return reportUsage(output, thrown);
    const error = toAppError(thrown);
    output.error(afterCommand(error.toData(), 'command-ended'));
    if (error.code === 'internal' && error.cause instanceof Error)
      for (const line of (error.cause.stack ?? '').split('\n')) output.note(line);
    return exitCodeOf(error);
  }
}

function reportUsage(output: Output, { message, topic }: UsageError): ExitCode {
  const nextStep = `Try “mediadesk ${topic === null ? '' : `${topic} `}--help”.`;
  output.error({ code: 'input.invalid', message, nextStep, details: null });
  return EXIT.usage;
}
