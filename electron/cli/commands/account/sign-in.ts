import type { Site } from '../../../../shared/contract/sites.ts';
import type { BrowserOpener } from '../../../engine/ports/browser-opener.ts';
import { createSystemBrowser, noBrowser } from '../../../engine/ports/system/browser-system.ts';
import { nodeClock } from '../../../engine/ports/system/node-clock.ts';
import { noOperands, oneOf, requiredText } from '../../arguments/options.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import type { Output } from '../../output/output.ts';
import { announcingOpener } from '../../session/announcing-opener.ts';

interface SignInInput {
  baseUrl: string;
  clientId: string;
  browser: 'system' | 'none';
}

export const signInCommand = defineEngineCommand<SignInInput>({
  name: 'sign-in',
  operands: '--site URL --client-id ID',
  summary: 'Sign in to a library in a browser. Prints the address to open.',
  options: {
    'client-id': { value: 'ID', help: 'The client ID of Mediadesk in this library.' },
    browser: { value: 'KIND', help: 'system (default) opens your browser, none only prints the address.' },
  },
  read(values, operands) {
    noOperands(operands);
    return {
      baseUrl: requiredText(values, 'site'),
      clientId: requiredText(values, 'client-id'),
      browser: oneOf(values, 'browser', ['system', 'none'], 'system'),
    };
  },
  run: signIn,
  opener,
});

function opener({ browser }: SignInInput, output: Output): BrowserOpener {
  const inner = browser === 'none' ? noBrowser : createSystemBrowser({ platform: process.platform, clock: nodeClock });
  return announcingOpener(inner, {
    announce(url) {
      output.record({ open: url });
      for (const line of ['Open this address to sign in:', '', `  ${url}`, '']) output.line(line);
    },
    onNoBrowser: (reason) => output.note(`${reason} Open the address yourself.`),
  });
}

async function signIn(
  { engine, output, interruption }: EngineContext,
  { baseUrl, clientId }: SignInInput,
): Promise<ExitCode> {
  const cancel = () => void engine.call('sites.cancelSignIn', null).catch(() => undefined);
  interruption.signal.addEventListener('abort', cancel, { once: true });
  try {
    const site = await engine.call('sites.signIn', { baseUrl, clientId, browser: 'system' });
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
