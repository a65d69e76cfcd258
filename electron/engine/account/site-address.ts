import { isIP } from 'node:net';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import { withoutTrailingSlashes } from '../../../shared/model/trailing-slashes.ts';

const MAX_CHARS = 2048;

/**
 * The base address of a library as a person types it: https unless it says otherwise, a path kept, no slash at the end.
 * Throws `site.address-invalid`, or `site.address-insecure` for http to anything but this computer.
 */
export function parseSiteAddress(typed: string): string {
  const text = typed.trim();
  // Blanks, line ends and backslashes inside are dropped or changed by URL parsers: what was typed is not what is meant.
  if (text === '' || text.length > MAX_CHARS || hasStrayCharacters(text)) throw invalid();
  if (/^https?:(?!\/\/)/i.test(text)) throw invalid();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(full)) throw invalid();
  const url = new URL(full);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid();
  if (url.username !== '' || url.password !== '' || url.hostname === '') throw invalid();
  if (/[?#]/.test(full)) throw invalid();
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw appError('site.address-insecure');
  return url.origin + withoutTrailingSlashes(url.pathname);
}

/** How a site is called on the screen: its host, and the path where one host has several. */
export function siteDisplayName(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.host + withoutTrailingSlashes(url.pathname);
}

function hasStrayCharacters(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds them
  return /[\u0000-\u0020\u007f\u00a0\\]/.test(text);
}

/** Host names as `URL` writes them: addresses normalised, IPv6 in brackets. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}

function invalid(): AppError {
  return appError('site.address-invalid');
}
