import { z } from 'zod';

/** An address for the envelope of a mail. It can't contain another address or another header. */
const plainAddress = z
  .string()
  .max(254)
  .regex(/^[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+$/, 'must be an e-mail address without a name');

/** The settings of outgoing mail. Without a server and a sender, the service sends none. */
export const mailSettings = {
  /** `smtp://user@host:587` or `smtps://…`, without a password. */
  mail_server: z
    .string()
    .max(500)
    .refine(isMailServer, 'must be smtp://host:port or smtps://host:port, with a user if needed, without a password')
    .nullable(),
  /** `required`: smtp:// must turn to TLS before anything is sent. `none`: for a server in a network that is trusted. */
  mail_tls: z.enum(['required', 'none']),
  /** The address of the sender. */
  mail_from: plainAddress.nullable(),
  /** A file with the password of the user at the server; null: `MEDIADESK_MAIL_PASSWORD` has it. */
  mail_password_file: z.string().min(1).max(4096).nullable(),
} as const;

export const NO_MAIL = { mail_server: null, mail_tls: 'required', mail_from: null, mail_password_file: null } as const;

function isMailServer(text: string): boolean {
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol)) return false;
  return url.hostname !== '' && url.password === '' && ['', '/'].includes(url.pathname) && url.search + url.hash === '';
}

/** Whether the service can send mail. */
export function sendsMail(settings: { mail_server: string | null; mail_from: string | null }): boolean {
  return settings.mail_server !== null && settings.mail_from !== null;
}
