import type { GlobalOptions } from '../arguments/global-options.ts';
import type { OptionSpec, OptionValues } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import type { ExitCode } from '../output/exit-codes.ts';
import type { Output } from '../output/output.ts';

/** What the help shows about a command, and what the parser needs. */
interface CommandSpec {
  /** One or two words, such as `upload` or `queue list`. */
  name: string;
  /** The operands and required options, as shown in the help after the name. */
  operands: string;
  summary: string;
  options: Record<string, OptionSpec>;
}

/** What every command runs with. */
export interface RunContext {
  globals: GlobalOptions;
  output: Output;
}

/** One command. `Input` is what its `read` returns and its `run` takes. */
export interface CommandDefinition<Input> extends CommandSpec {
  /** Reads the options and operands. Throws `UsageError`; the topic is filled in. */
  read(values: OptionValues, operands: string[]): Input;
  run(context: RunContext, input: Input): Promise<ExitCode>;
}

/** A command with its input, ready to run. */
export interface ReadyCommand {
  name: string;
  /** What the command's `read` returned. */
  input: unknown;
  run(context: RunContext): Promise<ExitCode>;
}

/** One command as the command table holds it: the type of its input stays inside. */
export interface Command extends CommandSpec {
  /** Throws `UsageError`. */
  prepare(values: OptionValues, operands: string[]): ReadyCommand;
}

/** Makes a command from its definition. */
export function defineCommand<Input>({ read, run, ...spec }: CommandDefinition<Input>): Command {
  const { name } = spec;
  return {
    ...spec,
    prepare(values, operands) {
      const input = withTopic(name, () => read(values, operands));
      return { name, input, run: (context) => run(context, input) };
    },
  };
}

/** Fills in the command whose help shows the right form. */
function withTopic<T>(topic: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, topic) : error;
  }
}
