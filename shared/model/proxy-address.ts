import { addresses } from './addresses.ts';

/** How Mediadesk finds a proxy; see `networkSettingsSchema`. */
export const PROXY_MODES = ['system', 'none', 'manual', 'pac'] as const;
export type ProxyMode = (typeof PROXY_MODES)[number];

/** Returns host and port of a proxy such as `proxy.example.org:3128`; null for any other text. */
export function readProxyAddress(text: string): { host: string; port: number } | null {
  const trimmed = text.trim();
  const address = trimmed.toLowerCase().startsWith('http://') ? trimmed.slice('http://'.length) : trimmed;
  const bare = address.endsWith('/') ? address.slice(0, -1) : address;
  const portAt = bare.lastIndexOf(':');
  const port = bare.slice(portAt + 1);
  if (portAt < 1 || !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) return null;
  if (/[\s/@?#]/.test(bare)) return null;
  const url = addresses.parse(`http://${bare}`);
  return url === null || url.hostname === '' ? null : { host: url.hostname, port: Number(port) };
}

/** Returns whether a text is the address of a PAC script. */
export function isPacAddress(text: string): boolean {
  return ['http:', 'https:'].includes(addresses.parse(text)?.protocol ?? '');
}
