import { AppError } from '../../../shared/contract/app-error.ts';
import type { BrowserOpener } from '../../engine/ports/browser-opener.ts';
import type { ExitCode } from '../output/exit-codes.ts';
import type { Output } from '../output/output.ts';
import { standardScreen } from '../output/standard-streams.ts';
import { type Interruption, listenForInterruption } from '../session/interruption.ts';
import { openEngine } from '../session/session.ts';
import type { EngineContext } from './context.ts';
import { type Command, type CommandDefinition, defineCommand, type RunContext } from './define-command.ts';

/** A command that uses the engine on the profile of the command line. */
interface EngineCommandDefinition<Input> extends Omit<CommandDefinition<Input>, 'run'> {
  run(context: EngineContext, input: Input): Promise<ExitCode>;
  /** How a sign-in page is opened; without it the command cannot sign in. */
  opener?(input: Input, output: Output): BrowserOpener;
  /** Whether the command only reads the profile, so that it works beside a process that uses the profile. */
  reads?(input: Input): boolean;
  /** The text that the first Ctrl-C prints. */
  interruptedText?: string;
}

/** The text that Ctrl-C prints for the commands that change the library. */
export const CHANGING_INTERRUPTED = 'Stopping. Requests that were already sent are completed.';

/** The text that Ctrl-C prints for the commands that send edits. */
export const EDITING_INTERRUPTED = `${CHANGING_INTERRUPTED} The other edits stay in the list of edits.`;

/** The text that Ctrl-C prints for the commands that send uploads. */
export const SENDING_INTERRUPTED =
  'Stopping. Unsent files stay in the queue. To resume, run “mediadesk queue resume --wait”.';

/** Creates a command that opens the engine, prints its notices, runs, and stops the engine again. */
export function defineEngineCommand<Input>(definition: EngineCommandDefinition<Input>): Command {
  const { run, opener, reads, interruptedText = 'Stopping…', ...rest } = definition;
  return defineCommand({
    ...rest,
    run: (context, input) =>
      withInterruption(context, interruptedText, async (interruption) => {
        const { globals, output } = context;
        const { engine, isElsewhere } = await openEngine({
          globals,
          opener: opener?.(input, output) ?? null,
          onlyReads: reads?.(input) ?? false,
          onNotice: (notice) => output.notice(notice),
        });
        try {
          for (const notice of (await engine.call('app.info', null)).notices) output.notice(notice);
          const screen = output.json || output.quiet ? null : standardScreen();
          return await run({ ...context, engine, isElsewhere, interruption, screen }, input);
        } finally {
          await engine.stop();
        }
      }),
  });
}

/** Runs `action` with Ctrl-C and SIGTERM as requests to stop. */
async function withInterruption(
  { output }: RunContext,
  text: string,
  action: (interruption: Interruption) => Promise<ExitCode>,
): Promise<ExitCode> {
  const interruption = listenForInterruption(() => {
    // The terminal shows `^C` in the line of the cursor.
    output.note('');
    output.note(text);
  });
  try {
    return await action(interruption);
  } catch (thrown) {
    // A sign-in that the user interrupted did not fail.
    const code = interruption.exitCode();
    if (code !== null && thrown instanceof AppError && thrown.code === 'sign-in.cancelled') return code;
    throw thrown;
  } finally {
    interruption.dispose();
  }
}
