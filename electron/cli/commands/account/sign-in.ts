import { toAppError } from '../../../../shared/contract/app-error.ts';
import type { Site } from '../../../../shared/contract/sites.ts';
import type { BrowserOpener } from '../../../engine/ports/browser-opener.ts';
import { createSystemBrowser, noBrowser } from '../../../engine/ports/system/browser-system.ts';
import { nodeClock } from '../../../engine/ports/system/node-clock.ts';
import { noOperands, oneOf, optionText, requiredText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import type { Output } from '../../output/output.ts';
import { standardLines } from '../../output/standard-streams.ts';
import { announcingOpener } from '../../session/announcing-opener.ts';

interface SignInInput {
  baseUrl: string;
  clientId: string;
  browser: 'system' | 'none';
  /** Whether the user pastes the code of the page. */
  isPasted: boolean;
  port: number | null;
}

export const signInCommand = defineEngineCommand<SignInInput>({
  name: 'sign-in',
  operands: '--site URL --client-id ID',
  summary: 'Sign in to a library in a browser. Prints the address to open.',
  options: {
    'client-id': { value: 'ID', help: 'The client ID of Mediadesk in this library.' },
    browser: {
      value: 'KIND',
      values: ['system', 'none'],
      help: 'system (default) opens your browser, none only prints the address.',
    },
    paste: { value: null, help: 'Open the address on any computer, and paste the code of its last page here.' },
    port: { value: 'N', help: 'The local port to which the browser returns, for a tunnel. Default: any free one.' },
  },
  read(values, operands) {
    noOperands(operands);
    const isPasted = values.paste === true;
    const port = optionText(values, 'port');
    if (isPasted && port !== null) throw new UsageError('Use either --paste or --port: with --paste, no port is used.');
    return {
      isPasted,
      port: port === null ? null : readPort(port),
      baseUrl: requiredText(values, 'site'),
      clientId: requiredText(values, 'client-id'),
      browser: oneOf(values, 'browser', ['system', 'none'], isPasted ? 'none' : 'system'),
    };
  },
  run: signIn,
  opener,
});

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new UsageError('--port requires a number from 1 to 65535.');
  return port;
}

function opener({ browser, isPasted }: SignInInput, output: Output): BrowserOpener {
  const inner = browser === 'none' ? noBrowser : createSystemBrowser({ platform: process.platform, clock: nodeClock });
  return announcingOpener(inner, {
    announce(url) {
      output.record({ open: url });
      for (const line of ['Open this address to sign in:', '', `  ${url}`, '']) output.line(line);
      if (isPasted) output.note('Paste the code that the last page shows, then press Enter:');
    },
    onNoBrowser: (reason) => output.note(`${reason} Open the address yourself.`),
  });
}

async function signIn(
  { engine, output, interruption }: EngineContext,
  { baseUrl, clientId, isPasted, port }: SignInInput,
): Promise<ExitCode> {
  const cancel = () => void engine.call('sites.cancelSignIn', null).catch(() => undefined);
  interruption.signal.addEventListener('abort', cancel, { once: true });
  try {
    const redirect = isPasted ? 'paste' : 'loopback';
    const target = { baseUrl, clientId, browser: 'system', redirect } as const;
    const stopReading = isPasted ? passPastedCodes(engine, output) : () => undefined;
    const signingIn = engine.call('sites.signIn', port === null ? target : { ...target, port });
    const site = await signingIn.finally(stopReading);
    output.record({ site });
    output.line(`Signed in to ${siteWithAccount(site)}.`);
    if (site.keptIn === 'memory') output.note('Your sign-in isn’t stored: it ends with this command.');
    return EXIT.complete;
  } finally {
    interruption.signal.removeEventListener('abort', cancel);
  }
}

function siteWithAccount(site: Site): string {
  return site.accountName ? `${site.baseUrl} as ${site.accountName}` : site.baseUrl;
}

/**
 * Reads lines from standard input while the sign-in waits, and gives each to it: a text without a code is reported, and the next
 * line counts. The end of the input cancels the sign-in. Returns the function that stops reading.
 */
function passPastedCodes(engine: EngineContext['engine'], output: Output): () => void {
  let hasEnded = false;
  let hasCode = false;
  let given = Promise.resolve();
  const isWaiting = Promise.withResolvers<void>();
  const unsubscribe = engine.on('onDidChangeSignIn', ({ phase }) => {
    if (phase === 'waiting-for-browser') isWaiting.resolve();
  });
  const giveOne = async (text: string) => {
    await isWaiting.promise;
    if (hasEnded) return;
    try {
      await engine.call('sites.pasteCode', { text });
      hasCode = true;
    } catch (error) {
      output.warning(toAppError(error).message);
    }
  };
  const cancelWithoutCode = async () => {
    await isWaiting.promise;
    await given;
    if (!hasCode && !hasEnded) await engine.call('sites.cancelSignIn', null);
  };
  const stopReading = standardLines({
    onLine(text) {
      if (text.trim() !== '') given = given.then(() => giveOne(text));
    },
    onEnd: () => void cancelWithoutCode(),
  });
  return () => {
    hasEnded = true;
    unsubscribe();
    isWaiting.resolve();
    stopReading();
  };
}
