import { readFileSync } from 'node:fs';
import { sendsMail } from '../site/mail-settings.ts';
import type { Settings } from '../site/settings.ts';
import type { Site } from '../site/site.ts';

/** A mail of plain text to one address. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** How the sending of a mail ended. */
export type MailFailure = 'off' | 'password' | 'sign-in' | 'address' | 'tls' | 'refused' | 'unreachable';
type MailResult = { kind: 'sent' } | { kind: 'failed'; failure: MailFailure };

export interface Mailer {
  /** Sends a mail by the present settings; resolves when the server has accepted it. Never rejects. */
  send(mail: Mail): Promise<MailResult>;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
const PASSWORD_ENV = 'MEDIADESK_MAIL_PASSWORD';

export function createMailer({ settings, log }: Pick<Site, 'settings' | 'log'>): Mailer {
  return {
    async send({ to, subject, text }) {
      const current = settings.current();
      const from = current.mail_from;
      if (!sendsMail(current) || from === null) return { kind: 'failed', failure: 'off' };
      // An address of an account may contain what a list of addresses is separated by, or what ends one.
      if (!/^[^\s@<>(),;:\\"[\]\p{Cc}]+@[^\s@<>(),;:\\"[\]\p{Cc}]+$/u.test(to)) return failed('address', null);
      let connection: Connection;
      try {
        connection = connectionOf(current, process.env);
      } catch (error) {
        return failed('password', (error as NodeJS.ErrnoException).code ?? null);
      }
      // Loaded when it is needed: most libraries send no mail.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(connection);
      try {
        // With an envelope of its own, no header decides who gets the mail.
        await transport.sendMail({
          envelope: { from, to: [to] },
          from: { name: 'Media Library', address: from },
          to: { name: '', address: to },
          subject,
          text,
          headers: { 'Auto-Submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        return { kind: 'sent' };
      } catch (error) {
        // The original code is that of the connection, which tells whether its certificate was refused.
        const { code, originalCode = '', responseCode } = error as Failure;
        const failure = IS_OF_TLS.test(originalCode) ? 'tls' : failureOf(code);
        return failed(failure, responseCode ?? (originalCode || (code ?? null)));
      } finally {
        transport.close();
      }
    },
  };

  /** The log has the reason, and neither the address nor what the server says, which may contain it. */
  function failed(failure: MailFailure, code: string | number | null): MailResult {
    log('a mail was not sent', { failure, code });
    return { kind: 'failed', failure };
  }
}

interface Failure {
  code?: string;
  originalCode?: string;
  responseCode?: number;
}

/** Codes of Node for certificates that are refused, and for a server that does not speak TLS. */
const IS_OF_TLS =
  /^(?:ERR_TLS_|ERR_SSL_|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/;

interface Connection {
  host: string;
  port: number;
  secure: boolean;
  requireTLS: boolean;
  ignoreTLS: boolean;
  auth?: { user: string; pass: string };
  connectionTimeout: number;
  greetingTimeout: number;
  socketTimeout: number;
}

/** Returns how the server is reached. Throws when its password can't be read. */
function connectionOf(settings: Settings, env: NodeJS.ProcessEnv): Connection {
  const url = new URL(settings.mail_server ?? '');
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const isPlain = settings.mail_tls === 'none';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isPlain,
    ignoreTLS: !secure && isPlain,
    ...(user === '' ? {} : { auth: { user, pass: passwordOf(settings, env) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  };
}

function passwordOf({ mail_password_file: file }: Settings, env: NodeJS.ProcessEnv): string {
  const password = file === null ? env[PASSWORD_ENV] : readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  if (!password) throw new Error('There is no password for the mail server.');
  return password;
}

function failureOf(code: string | undefined): MailFailure {
  switch (code) {
    case 'EAUTH':
    case 'ENOAUTH':
      return 'sign-in';
    case 'EENVELOPE':
      return 'address';
    case 'ETLS':
      return 'tls';
    case 'EMESSAGE':
    case 'EPROTOCOL':
      return 'refused';
    default:
      return 'unreachable';
  }
}
