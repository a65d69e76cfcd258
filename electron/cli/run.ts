import { AppError, toAppError } from '../../shared/contract/app-error.ts';
import { createSystemBrowser, noBrowser } from '../engine/ports/browser-system.ts';
import { nodeClock } from '../engine/ports/node-clock.ts';
import { announcingOpener } from './announcing-opener.ts';
import { type Command, type CommandLine, UsageError } from './command.ts';
import { listCollections } from './commands/collections.ts';
import type { CommandContext } from './commands/context.ts';
import { doctor } from './commands/doctor.ts';
import { listDuplicates, resolveDuplicates } from './commands/duplicates.ts';
import { chooseItem, listItems } from './commands/items.ts';
import { changeQueue, listQueue, resumeQueue, retryIn } from './commands/queue.ts';
import { printReceipt, searchReceipts } from './commands/receipt.ts';
import { moveUploads, pauseUntil, sendNext, setPriority, settings } from './commands/schedule.ts';
import { listSites, signIn, signOut } from './commands/sites.ts';
import { upload } from './commands/upload.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';
import { helpText } from './help-text.ts';
import { type Interruption, listenForInterruption } from './interruption.ts';
import { afterCommand } from './next-step.ts';
import { Output } from './output.ts';
import { asksForJson, readCommandLine } from './read-command-line.ts';
import { openEngine } from './session.ts';
import { VERSION } from './version.ts';

/** Runs one command line and answers with the exit code. Never throws. */
export async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  const output = new Output(process, asksForJson(args));
  try {
    const line = readCommandLine(args);
    if (line.command.kind === 'help') {
      output.document(helpText(line.command.topic));
      return args.length === 0 ? EXIT.usage : EXIT.complete;
    }
    if (line.command.kind === 'version') {
      output.document(`${VERSION}\n`);
      return EXIT.complete;
    }
    if (line.command.kind === 'doctor') return await doctor(line.globals, line.command, output);
    return await runWithEngine(line, output);
  } catch (thrown) {
    if (thrown instanceof UsageError) return reportUsage(output, thrown);
    const error = toAppError(thrown);
    output.error(afterCommand(error.toData(), 'command-ended'));
    if (error.code === 'internal' && error.cause instanceof Error) output.note(error.cause.stack ?? '');
    return exitCodeOf(error);
  }
}

function reportUsage(output: Output, { message, topic }: UsageError): ExitCode {
  const nextStep = `Try “mediadesk ${topic === null ? '' : `${topic} `}--help”.`;
  output.error({ code: 'input.invalid', message, nextStep, details: null });
  return EXIT.usage;
}

async function runWithEngine({ command, globals }: CommandLine, output: Output): Promise<ExitCode> {
  const interruption = listenForInterruption(() => output.note(`\n${interruptedText(command)}`));
  try {
    const engine = await openEngine({ globals, opener: openerFor(command, output) });
    try {
      for (const notice of (await engine.call('app.info', null)).notices) output.notice(notice);
      const terminal = process.stderr.isTTY ? process.stderr : null;
      return await execute({ engine, globals, output, interruption, terminal }, command);
    } finally {
      await engine.stop();
    }
  } catch (thrown) {
    return afterInterruption(thrown, interruption);
  } finally {
    interruption.dispose();
  }
}

/** What broke because the person interrupted it is no error. */
function afterInterruption(thrown: unknown, interruption: Interruption): ExitCode {
  const code = interruption.exitCode();
  if (code !== null && thrown instanceof AppError && thrown.code === 'sign-in.cancelled') return code;
  throw thrown;
}

function interruptedText({ kind }: Command): string {
  if (kind !== 'upload' && kind !== 'queue-resume') return 'Stopping …';
  return 'Stopping. What is not sent stays in the queue: “mediadesk queue resume --wait” goes on.';
}

function openerFor(command: Command, output: Output) {
  if (command.kind !== 'sign-in') return null;
  const browser =
    command.browser === 'none' ? noBrowser : createSystemBrowser({ platform: process.platform, clock: nodeClock });
  return announcingOpener(browser, {
    tell(url) {
      output.record({ open: url });
      output.line(`Open this address to sign in:\n\n  ${url}\n`);
    },
    onNoBrowser: (reason) => output.note(`${reason} Open the address by hand.`),
  });
}

function execute(context: CommandContext, command: Command): Promise<ExitCode> {
  switch (command.kind) {
    case 'sign-in':
      return signIn(context, command);
    case 'sign-out':
      return signOut(context);
    case 'sites':
      return listSites(context);
    case 'collections':
      return listCollections(context, command);
    case 'upload':
      return upload(context, command);
    case 'queue-list':
      return listQueue(context, command);
    case 'duplicates-list':
      return listDuplicates(context, command);
    case 'duplicates-resolve':
      return resolveDuplicates(context, command);
    case 'items-list':
      return listItems(context, command);
    case 'items-choose':
      return chooseItem(context, command);
    case 'queue-change':
      return changeQueue(context, command);
    case 'queue-retry-in':
      return retryIn(context, command);
    case 'queue-pause-until':
      return pauseUntil(context, command);
    case 'queue-next':
      return sendNext(context, command);
    case 'queue-priority':
      return setPriority(context, command);
    case 'queue-move':
      return moveUploads(context, command);
    case 'settings':
      return settings(context, command);
    case 'queue-resume':
      return resumeQueue(context, command);
    case 'receipt':
      return printReceipt(context, command);
    case 'receipts-search':
      return searchReceipts(context, command);
    default:
      throw new UsageError('That needs no library.', null);
  }
}
