import type { NetworkSettings, NetworkState } from '../../../shared/contract/network.ts';
import { isPacAddress, PROXY_MODES, readProxyAddress } from '../../../shared/model/proxy-address.ts';
import { UsageError } from './usage-error.ts';

/** The settings of the network by their names on the command line. `none` stands for an empty text. */
const NAMES = {
  'proxy-mode': 'proxyMode',
  proxy: 'proxy',
  'proxy-user': 'proxyUser',
  'proxy-exceptions': 'proxyExceptions',
  pac: 'pacAddress',
} as const satisfies Record<string, keyof NetworkSettings>;

type Name = keyof typeof NAMES;

export const NETWORK_NAMES = Object.keys(NAMES) as Name[];

/** What a value must be, if not any text. */
const TAKES: Partial<Record<Name, { text: string; isValid(value: string): boolean }>> = {
  'proxy-mode': {
    text: PROXY_MODES.join(', '),
    isValid: (value) => (PROXY_MODES as readonly string[]).includes(value),
  },
  proxy: {
    text: 'a host and a port such as proxy.example.org:3128, or none',
    isValid: (value) => value === '' || readProxyAddress(value) !== null,
  },
  pac: { text: 'a web address, or none', isValid: (value) => value === '' || isPacAddress(value) },
};

/** Returns whether a name on the command line is one of a network setting. */
export function isNetworkName(name: string): name is Name {
  return Object.hasOwn(NAMES, name);
}

/** Reads operands such as `proxy-mode=manual proxy=proxy.example.org:3128`. Throws `UsageError`. */
export function readNetworkSettings(
  words: readonly (readonly [name: Name, value: string])[],
): Partial<NetworkSettings> {
  const patch: Partial<Record<keyof NetworkSettings, string>> = {};
  for (const [name, value] of words) {
    const setTo = value === 'none' && name !== 'proxy-mode' ? '' : value;
    const takes = TAKES[name];
    if (takes !== undefined && !takes.isValid(setTo)) {
      throw new UsageError(`Invalid value for ${name}: ${value}. Use ${takes.text}.`);
    }
    patch[NAMES[name]] = setTo;
  }
  return patch as Partial<NetworkSettings>;
}

/** Returns the network settings as names and values. A mode that the command line can't follow is marked. */
export function networkText({
  settings,
  hasPassword,
  evaluatesPac,
  environmentProxy,
}: NetworkState): [string, string][] {
  const environment = environmentProxy === null ? '' : ` (environment: ${environmentProxy})`;
  const mode =
    settings.proxyMode === 'system'
      ? `system${environment}`
      : settings.proxyMode === 'pac' && !evaluatesPac
        ? `pac (not evaluated on the command line${environment === '' ? ': direct' : `: ${environmentProxy}`})`
        : settings.proxyMode;
  const shown = (text: string) => (text === '' ? 'none' : text);
  return [
    ['proxy-mode', mode],
    ['proxy', shown(settings.proxy)],
    ['proxy-user', shown(settings.proxyUser)],
    ['proxy-password', hasPassword ? 'stored' : 'none'],
    ['proxy-exceptions', shown(settings.proxyExceptions)],
    ['pac', shown(settings.pacAddress)],
  ];
}
