import type { NetworkSettings } from '../../../shared/contract/network.ts';
import type { SettingsPatch } from '../../../shared/contract/settings.ts';
import { isNetworkName, networkText, readNetworkSettings } from '../arguments/network-values.ts';
import { type OptionValues, optionText } from '../arguments/options.ts';
import { readSettings, settingsText } from '../arguments/settings-values.ts';
import { UsageError } from '../arguments/usage-error.ts';
import type { EngineContext } from '../command-base/context.ts';
import { defineEngineCommand } from '../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { standardQuestion } from '../output/standard-streams.ts';
import { type ProxyPasswordSource, readProxyPassword } from '../session/proxy-password.ts';

interface SettingsInput {
  /** Empty: these settings stay. */
  patch: SettingsPatch;
  network: Partial<NetworkSettings>;
  /** null: the password at the proxy stays. */
  password: ProxyPasswordSource | null;
}

export const settingsCommand = defineEngineCommand<SettingsInput>({
  name: 'settings',
  operands: '[NAME=VALUE…]',
  summary:
    'Show the settings, or change some: parallel, small-first, disk, limit, timetable, days-without-publication ….',
  options: {
    'ask-proxy-password': { value: null, help: 'Ask for the password of proxy-user, and store it in the keychain.' },
    'proxy-password-file': { value: 'FILE', help: 'Read that password from a file.' },
    'forget-proxy-password': { value: null, help: 'Delete the stored password.' },
  },
  read: (values, words) => {
    const pairs = words.map((word) => [word.slice(0, Math.max(0, word.indexOf('='))), word] as const);
    const ofNetwork = pairs.flatMap(([name, word]) =>
      isNetworkName(name) ? [[name, word.slice(name.length + 1).trim()] as const] : [],
    );
    return {
      patch: readSettings(pairs.filter(([name]) => !isNetworkName(name)).map(([, word]) => word)),
      network: readNetworkSettings(ofNetwork),
      password: passwordSource(values),
    };
  },
  reads: (input) => !isChange(input),
  run: showSettings,
});

function passwordSource(values: OptionValues): ProxyPasswordSource | null {
  const path = optionText(values, 'proxy-password-file');
  const sources: ProxyPasswordSource[] = [
    ...(path === null ? [] : [{ kind: 'file', path } as const]),
    ...(values['ask-proxy-password'] === true ? [{ kind: 'ask' } as const] : []),
    ...(values['forget-proxy-password'] === true ? [{ kind: 'forget' } as const] : []),
  ];
  if (sources.length > 1) throw new UsageError('Use only one of the options about the password of the proxy.');
  return sources[0] ?? null;
}

function isChange({ patch, network, password }: SettingsInput): boolean {
  return Object.keys(patch).length > 0 || Object.keys(network).length > 0 || password !== null;
}

/** Shows the settings, after a change if there is one. */
async function showSettings({ engine, output }: EngineContext, input: SettingsInput): Promise<ExitCode> {
  const { patch, network: change, password } = input;
  const secret = password === null ? {} : { password: await readProxyPassword(password, standardQuestion()) };
  const network =
    Object.keys(change).length > 0 || password !== null
      ? await engine.call('network.set', { patch: change, ...secret })
      : await engine.call('network.get', null);
  const settings =
    Object.keys(patch).length > 0
      ? await engine.call('settings.set', { patch })
      : await engine.call('settings.get', null);
  output.record({ settings, network });
  output.table(['SETTING', 'VALUE'], [...settingsText(settings), ...networkText(network)]);
  return EXIT.complete;
}
