import { hidden, page } from '../oauth/pages.ts';
import { escapeHtml } from '../wire/escape-html.ts';
import type { LinkPurpose } from './links.ts';
import { MIN_PASSWORD, type PasswordProblem } from './password-rules.ts';

const PROBLEMS: Readonly<Record<PasswordProblem, string>> = {
  'too-short': `Choose a password with at least ${MIN_PASSWORD} characters.`,
  'too-long': 'Choose a password with at most 1,000 characters.',
  differs: 'The two passwords are different. Type the same password twice.',
  'one-character': 'Choose a password with different characters.',
  address: 'Choose a password that doesn’t contain your email address.',
  'not-text': 'This password contains characters that can’t be used. Choose another one.',
};

export const passwordProblemText = (problem: PasswordProblem): string => PROBLEMS[problem];

/** The two fields of a new password. */
export function newPasswordFields(hasFocus: boolean): string {
  return `<label>New password<input name="password" type="password" autocomplete="new-password" required aria-describedby="rule"${hasFocus ? ' autofocus' : ''}></label>
<p class="hint" id="rule">At least ${MIN_PASSWORD} characters. Several words are easy to remember.</p>
<label>New password again<input name="again" type="password" autocomplete="new-password" required></label>`;
}

export interface SetPasswordPage {
  action: string;
  fields: Readonly<Record<string, string>>;
  email: string;
  purpose: LinkPurpose;
  problem: string | null;
}

export function setPasswordPage({ action, fields, email, purpose, problem }: SetPasswordPage): string {
  const effect = purpose === 'reset' ? '<p>All apps and browsers that use this account will be signed out.</p>' : '';
  return page(
    'Set your password',
    `<h1>Set your password</h1><p>for <b>${escapeHtml(email)}</b></p>${effect}
${problem === null ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form method="post" action="${escapeHtml(action)}">${hidden(fields)}
<input class="away" type="email" name="email_address" autocomplete="username" value="${escapeHtml(email)}" readonly tabindex="-1" aria-hidden="true">
${newPasswordFields(true)}
<button>Set password</button></form>`,
  );
}

/** The page of a link that can't be used, whatever the reason. */
export function deadLinkPage(): string {
  return page(
    'Link not valid',
    `<h1>This link isn’t valid</h1><p>It was used already, it has expired, or it is incomplete.</p>
<p>Ask an administrator of the library for a new link.</p>`,
  );
}

export function passwordSetPage(): string {
  return page(
    'Password set',
    `<h1>Your password is set</h1><p>Sign in with it in your apps, or here.</p>
<p><a class="button" href="/account">Go to your account</a></p>`,
  );
}

/** `message`: a sentence for a person. */
export function accountProblemPage(message: string): string {
  return page(
    'Account',
    `<h1>This can’t continue</h1><p class="problem">${escapeHtml(message)}</p>
<p>Go back, load the page again, and try again.</p>`,
  );
}

/** The page for a form that was sent after the session had ended. */
export function signedOutPage(): string {
  return page(
    'Signed out',
    `<h1>You are signed out</h1><p>Nothing was changed.</p>
<p><a class="button" href="/account">Sign in</a></p>`,
  );
}

export function forgottenPage(fields: Readonly<Record<string, string>>): string {
  return page(
    'Forgot password',
    `<h1>Forgot your password?</h1><p>The library sends you a link with which you set a new one.</p>
<form method="post" action="/account/forgot">${hidden(fields)}
<label>Email address<input name="email_address" type="email" autocomplete="username" required autofocus></label>
<button>Send link</button></form>`,
  );
}

/** The answer for every address, whether an account has it or not. */
export function askedPage(): string {
  return page(
    'Check your mail',
    `<h1>Check your mail</h1><p>If an account with a password has this address, a link is on its way. It can take a few minutes.</p>
<p>If none arrives, ask an administrator of the library.</p>`,
  );
}
