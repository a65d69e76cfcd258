import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieNames, readCookies, setCookie } from '../oauth/sessions.ts';
import { randomToken } from '../secrets/random-token.ts';
import { sameText } from '../secrets/signer.ts';
import type { Site } from '../site/site.ts';
import type { Fields } from '../wire/form.ts';

/** Binds the forms of one page to the browser to which it was sent. */
export interface FormGuard {
  /** Returns the form cookie of the browser, and gives it one if it has none. */
  cookie(reply: FastifyReply): string;
  /** Returns the hidden fields of a form, and gives the browser its cookie. */
  fields(reply: FastifyReply): Record<string, string>;
  /** Returns whether a form was made for this browser and this page. */
  isOurs(fields: Fields): boolean;
}

/** `page`: what the forms are for. `session`: the cookie of the session that may send them; null for pages without one. */
export function guardForms(site: Site, request: FastifyRequest, page: string, session: string | null): FormGuard {
  const name = cookieNames(site).form;
  const held = readCookies(request.headers.cookie).get(name) ?? '';
  const valueFor = (cookie: string) => site.signer.digest('account-form', JSON.stringify([cookie, page, session]));
  let given = held;
  function cookie(reply: FastifyReply): string {
    if (given === '') {
      given = randomToken(16);
      reply.header('set-cookie', setCookie(site, name, given));
    }
    return given;
  }
  return {
    cookie,
    fields: (reply) => ({ csrf: valueFor(cookie(reply)) }),
    isOurs: (fields) => held !== '' && sameText(fields.csrf ?? '', valueFor(held)),
  };
}
