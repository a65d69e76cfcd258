import { isIP } from 'node:net';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import { withoutTrailingSlashes } from '../../../shared/model/trailing-slashes.ts';

const MAX_CHARS = 2048;

/**
 * Returns the base address of a library from what the user typed: https by default, the path is kept, no trailing
 * slash. Throws `site.address-invalid`, or `site.address-insecure` for http to another computer.
 */
export function parseSiteAddress(typed: string): string {
  const text = typed.trim();
  // URL parsers drop or change blanks, line ends and backslashes, so the parsed address would differ from the typed
  // one.
  if (text === '' || text.length > MAX_CHARS || hasStrayCharacters(text)) throw invalid();
  if (/^https?:(?!\/\/)/i.test(text)) throw invalid();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.parse(full);
  if (url === null) throw invalid();
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid();
  if (url.username !== '' || url.password !== '' || url.hostname === '') throw invalid();
  if (/[?#]/.test(full)) throw invalid();
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw appError('site.address-insecure');
  return url.origin + withoutTrailingSlashes(url.pathname);
}

/** Returns the name of a site for screens: its host, and its path if it has one. */
export function siteDisplayName(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.host + withoutTrailingSlashes(url.pathname);
}

function hasStrayCharacters(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds them
  return /[\u0000-\u0020\u007f\u00a0\\]/.test(text);
}

/** Host names in the form of `URL`: normalized addresses, IPv6 in brackets. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}

function invalid(): AppError {
  return appError('site.address-invalid');
}
