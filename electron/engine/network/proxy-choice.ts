import type { NetworkSettings } from '../../../shared/contract/network.ts';
import { readProxyAddress } from '../../../shared/model/proxy-address.ts';

/** The environment variables that name a proxy. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** A proxy, and whether the connection to the proxy itself is encrypted. */
export interface ProxyServer {
  isEncrypted: boolean;
  /** As in a URL: an IPv6 address is in brackets. */
  host: string;
  port: number;
  /** From the environment; null: the stored ones are used, if they are for this proxy. */
  credentials: Credentials | null;
}

export interface Credentials {
  user: string;
  password: string;
}

/** How an address is reached. */
export type Route =
  | { kind: 'direct' }
  | { kind: 'proxy'; proxy: ProxyServer }
  /** Only by a proxy that Mediadesk can't use, such as SOCKS. */
  | { kind: 'unsupported'; name: string };

const DIRECT: Route = { kind: 'direct' };

/** Returns host and port of a proxy: its name in errors and settings. */
export function nameOfProxy({ host, port }: Pick<ProxyServer, 'host' | 'port'>): string {
  return `${host}:${port}`;
}

/**
 * Returns the route to an address by the settings and the environment; `ask`: only the system knows it, by its own settings or by
 * a PAC script. This computer itself is always reached directly.
 */
export function chooseRoute(
  url: URL,
  settings: Pick<NetworkSettings, 'proxyMode' | 'proxy' | 'proxyExceptions'>,
  environment: ProxyEnvironment,
  canAsk: boolean,
): Route | { kind: 'ask' } {
  if (isLoopback(url.hostname) || settings.proxyMode === 'none') return DIRECT;
  if (settings.proxyMode === 'manual') {
    const address = readProxyAddress(settings.proxy);
    if (address === null || isExcepted(url, settings.proxyExceptions)) return DIRECT;
    return { kind: 'proxy', proxy: { isEncrypted: false, ...address, credentials: null } };
  }
  const isAsked = canAsk && (settings.proxyMode === 'pac' || !namesProxy(environment));
  return isAsked ? { kind: 'ask' } : environmentRoute(url, environment);
}

/** Returns the route that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` name; lower case is read first. */
export function environmentRoute(url: URL, environment: ProxyEnvironment): Route {
  const text = proxyText(url, environment);
  if (text === '' || isLoopback(url.hostname) || isExcepted(url, variable(environment, 'no_proxy'))) return DIRECT;
  const proxy = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (proxy === null || proxy.hostname === '') return { kind: 'unsupported', name: 'environment' };
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') return { kind: 'unsupported', name: proxy.host };
  const isEncrypted = proxy.protocol === 'https:';
  const port = proxy.port === '' ? (isEncrypted ? 443 : 80) : Number(proxy.port);
  return { kind: 'proxy', proxy: { isEncrypted, host: proxy.hostname, port, credentials: credentialsIn(proxy) } };
}

/** Returns the route that the environment names for https addresses, without its exceptions. */
export function environmentDefault(environment: ProxyEnvironment): Route {
  return environmentRoute(new URL('https://mediadesk.invalid'), { ...environment, no_proxy: '', NO_PROXY: '' });
}

/** Returns host and port of the proxy of the environment for https addresses, without its user; null: none. */
export function environmentProxy(environment: ProxyEnvironment): string | null {
  const route = environmentDefault(environment);
  return route.kind === 'direct' ? null : route.kind === 'proxy' ? nameOfProxy(route.proxy) : route.name;
}

function namesProxy(environment: ProxyEnvironment): boolean {
  return ['https_proxy', 'http_proxy', 'all_proxy'].some((name) => variable(environment, name) !== '');
}

function proxyText({ protocol }: URL, environment: ProxyEnvironment): string {
  return (
    variable(environment, protocol === 'https:' ? 'https_proxy' : 'http_proxy') || variable(environment, 'all_proxy')
  );
}

function variable(environment: ProxyEnvironment, name: string): string {
  return environment[name] || environment[name.toUpperCase()] || '';
}

function credentialsIn({ username, password }: URL): Credentials | null {
  if (username === '') return null;
  return { user: decoded(username), password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing.
    return text;
  }
}

/**
 * Returns the route of an answer in the form of PAC scripts, such as `PROXY a.example:3128; DIRECT`: its first entry that
 * `isUsable` accepts, otherwise the first. An answer without any entry, and one that can't be read, mean a direct connection, as
 * in browsers.
 */
export function readPacAnswer(answer: string, isUsable: (proxy: ProxyServer) => boolean): Route {
  const routes = answer.split(';').flatMap((entry) => pacEntry(entry) ?? []);
  const usable = routes.find((route) => route.kind === 'direct' || (route.kind === 'proxy' && isUsable(route.proxy)));
  return usable ?? routes.find(({ kind }) => kind === 'proxy') ?? routes[0] ?? DIRECT;
}

function pacEntry(entry: string): Route | null {
  const [kind = '', address = ''] = entry.trim().split(/\s+/);
  switch (kind.toUpperCase()) {
    case 'DIRECT':
      return DIRECT;
    case 'PROXY':
    case 'HTTPS': {
      const isEncrypted = kind.toUpperCase() === 'HTTPS';
      const proxy = readProxyAddress(/:\d+$/.test(address) ? address : `${address}:${isEncrypted ? 443 : 80}`);
      return proxy === null ? null : { kind: 'proxy', proxy: { isEncrypted, ...proxy, credentials: null } };
    }
    case 'SOCKS':
    case 'SOCKS4':
    case 'SOCKS5':
      return { kind: 'unsupported', name: address };
    default:
      return null;
  }
}

/** Returns whether a host of an address is this computer. */
function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host);
}

/**
 * Returns whether a list of exceptions names the host of an address: names separated by commas or blanks, each also for the names
 * below it and, with a port, for that port only; `*` means all.
 */
function isExcepted(url: URL, list: string): boolean {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return list
    .toLowerCase()
    .split(/[\s,;]/)
    .filter((each) => each !== '')
    .some((each) => {
      const colon = /^(.*):(\d{1,5})$/.exec(each.endsWith(']') || isBareIpv6(each) ? '' : each);
      if (colon?.[2] !== undefined && colon[2] !== port) return false;
      const entry = colon?.[1] ?? each;
      const name = entry.startsWith('*.') ? entry.slice(2) : entry.startsWith('.') ? entry.slice(1) : entry;
      const host = url.hostname.replace(/\.$/, '');
      return name === '*' || host === name || host === `[${name}]` || host.endsWith(`.${name}`);
    });
}

function isBareIpv6(text: string): boolean {
  return !text.startsWith('[') && text.split(':').length > 2;
}
