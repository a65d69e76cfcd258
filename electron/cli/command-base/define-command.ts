import { refuseEmptyOperands, refuseEmptyOptions } from '../arguments/empty-values.ts';
import type { GlobalOptions } from '../arguments/global-options.ts';
import type { OptionSpec, OptionValues } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import type { ExitCode } from '../output/exit-codes.ts';
import type { Output } from '../output/output.ts';

/** The parts of a command that the help shows and the parser needs. */
interface CommandSpec {
  /** One to three words, such as `upload`, `queue list` or `admin users list`. */
  name: string;
  /** The operands and required options, as shown in the help after the name. */
  operands: string;
  summary: string;
  options: Record<string, OptionSpec>;
}

/** The input of every command. */
export interface RunContext {
  globals: GlobalOptions;
  output: Output;
}

/** One command. `Input` is the result of its `read` and the input of its `run`. */
export interface CommandDefinition<Input> extends CommandSpec {
  /** Reads the options and operands. Throws `UsageError`; the topic is filled in. */
  read(values: OptionValues, operands: string[]): Input;
  run(context: RunContext, input: Input): Promise<ExitCode>;
}

/** A command with its input, ready to run. */
export interface ReadyCommand {
  name: string;
  /** The result of the command's `read`. */
  input: unknown;
  run(context: RunContext): Promise<ExitCode>;
}

/** One command in the command table, without the type of its input. */
export interface Command extends CommandSpec {
  /** Throws `UsageError`. */
  prepare(values: OptionValues, operands: string[]): ReadyCommand;
}

/** Creates a command from its definition. */
export function defineCommand<Input>({ read, run, ...spec }: CommandDefinition<Input>): Command {
  const { name } = spec;
  return {
    ...spec,
    prepare(values, operands) {
      const input = withTopic(name, () => {
        refuseEmptyOptions(values, spec.options);
        const result = read(values, operands);
        // Afterwards, because the command itself names what is missing.
        refuseEmptyOperands(operands, spec.operands);
        return result;
      });
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
