import type { Mail, MailFailure } from '../mail/mailer.ts';
import { LINK_HOURS, type LinkPurpose } from './links.ts';

/**
 * Returns the mail with a link. It has nothing that a user typed, such as a name: otherwise the library would send texts of others.
 */
export function linkMail(to: string, purpose: LinkPurpose, link: string, baseUrl: string): Mail {
  const isReset = purpose === 'reset';
  const why = isReset
    ? `Somebody, probably you, asked for a new password for your account in the media library ${baseUrl}.`
    : `An administrator has made an account for you in the media library ${baseUrl}.`;
  const otherwise = isReset
    ? 'If it wasn’t you, ignore this mail: your password stays as it is.'
    : 'If you don’t expect this, ignore this mail.';
  return {
    to,
    subject: isReset ? 'Set a new password for the media library' : 'Your account in the media library',
    text: `${why}\n\nSet your password here:\n\n${link}\n\nThe link works once, within ${LINK_HOURS} hours. ${otherwise}\n`,
  };
}

const FAILURES: Readonly<Record<MailFailure, string>> = {
  off: 'No mail server is set.',
  password: 'The password for the mail server can’t be read.',
  'sign-in': 'The mail server refused the user or the password of the library.',
  address: 'The mail server doesn’t accept this address.',
  tls: 'The connection to the mail server can’t be encrypted.',
  refused: 'The mail server refused the mail.',
  unreachable: 'The mail server can’t be reached.',
};

export const mailFailureText = (failure: MailFailure): string => FAILURES[failure];
