import { withoutTrailingSlashes } from '../../../shared/model/trailing-slashes.ts';

/** Completes a typed address as a browser does: a bare host gets https, a host of this computer gets http. */
export function completeAddress(typed: string): string {
  const text = withoutTrailingSlashes(typed.trim());
  if (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const host = text.split(/[/:]/)[0]?.toLowerCase();
  return host === 'localhost' || host === '127.0.0.1' ? `http://${text}` : `https://${text}`;
}
