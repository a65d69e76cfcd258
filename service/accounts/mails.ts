import { type Message, say, type Texts } from '../languages/texts.ts';
import type { Mail, MailFailure } from '../mail/mailer.ts';
import { LINK_HOURS, type LinkPurpose } from './links.ts';

/**
 * Returns the mail with a link. It has nothing that a user typed, such as a name: otherwise the library would send texts of others.
 */
export function linkMail({ text }: Texts, to: string, purpose: LinkPurpose, link: string, baseUrl: string): Mail {
  const kind = purpose === 'reset' ? 'reset' : 'invitation';
  const why = text(`mail.${kind}-why`, { address: baseUrl });
  const valid = `${text('mail.valid', { count: LINK_HOURS })} ${text(`mail.${kind}-otherwise`)}`;
  return {
    to,
    subject: text(`mail.${kind}-subject`),
    text: `${why}\n\n${text('mail.link')}\n\n${link}\n\n${valid}\n`,
  };
}

export const mailFailureText = (failure: MailFailure): Message => say(`mail.failed-${failure}`);
