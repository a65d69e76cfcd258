import { sameText } from '../secrets/signer.ts';
import type { Site } from '../site/site.ts';

/** What a form belongs to: a browser by its cookie, a request of an application as a query, and a session after the sign-in. */
export interface FormOwner {
  cookie: string;
  query: string;
  session: string | null;
}

/** Returns the CSRF value of a form. */
export function formToken({ signer }: Pick<Site, 'signer'>, { cookie, query, session }: FormOwner): string {
  return signer.digest('form', JSON.stringify([cookie, query, session]));
}

/** Returns whether a CSRF value was made for this owner. A browser without the cookie owns no form. */
export function isFormToken(site: Pick<Site, 'signer'>, owner: FormOwner, token: string | undefined): boolean {
  return owner.cookie !== '' && sameText(token ?? '', formToken(site, owner));
}
