import { type Message, say, strong, type Texts } from '../languages/texts.ts';
import { hidden, page, problemParagraph } from '../oauth/pages.ts';
import { escapeHtml } from '../wire/escape-html.ts';
import type { LinkPurpose } from './links.ts';
import { MAX_PASSWORD, MIN_PASSWORD, type PasswordProblem } from './password-rules.ts';

const PROBLEMS: Readonly<Record<PasswordProblem, Message>> = {
  'too-short': say('password.too-short', { count: MIN_PASSWORD }),
  'too-long': say('password.too-long', { count: MAX_PASSWORD }),
  differs: say('password.differs'),
  'one-character': say('password.one-character'),
  address: say('password.address'),
  'not-text': say('password.not-text'),
};

export const passwordProblemText = (problem: PasswordProblem): Message => PROBLEMS[problem];

/** The two fields of a new password. */
export function newPasswordFields({ html }: Texts, hasFocus: boolean): string {
  return `<label>${html('password.new')}<input name="password" type="password" autocomplete="new-password" required aria-describedby="rule"${hasFocus ? ' autofocus' : ''}></label>
<p class="hint" id="rule">${html('password.rule', { count: MIN_PASSWORD })}</p>
<label>${html('password.again')}<input name="again" type="password" autocomplete="new-password" required></label>`;
}

export interface SetPasswordPage {
  action: string;
  fields: Readonly<Record<string, string>>;
  email: string;
  purpose: LinkPurpose;
  problem: Message | null;
}

export function setPasswordPage(texts: Texts, { action, fields, email, purpose, problem }: SetPasswordPage): string {
  const { html } = texts;
  const effect = purpose === 'reset' ? `<p>${html('link.effect')}</p>` : '';
  return page(
    texts,
    texts.text('link.title'),
    `<h1>${html('link.title')}</h1><p>${html('link.for', { email: strong(email) })}</p>${effect}
${problemParagraph(texts, problem)}
<form method="post" action="${escapeHtml(action)}">${hidden(fields)}
<input class="away" type="email" name="email_address" autocomplete="username" value="${escapeHtml(email)}" readonly tabindex="-1" aria-hidden="true">
${newPasswordFields(texts, true)}
<button>${html('link.button')}</button></form>`,
  );
}

/** The page of a link that can't be used, whatever the reason. */
export function deadLinkPage(texts: Texts): string {
  const { html } = texts;
  return page(
    texts,
    texts.text('link.dead-title'),
    `<h1>${html('link.dead')}</h1><p>${html('link.dead-why')}</p>
<p>${html('link.dead-next')}</p>`,
  );
}

export function passwordSetPage(texts: Texts): string {
  const { html } = texts;
  return page(
    texts,
    texts.text('link.set-title'),
    `<h1>${html('link.set')}</h1><p>${html('link.set-next')}</p>
<p><a class="button" href="/account">${html('link.to-account')}</a></p>`,
  );
}

export function accountProblemPage(texts: Texts, message: Message): string {
  return page(
    texts,
    texts.text('account.title'),
    `<h1>${texts.html('account.problem')}</h1><p class="problem">${escapeHtml(texts.of(message))}</p>
<p>${texts.html('account.problem-next')}</p>`,
  );
}

/** The page for a form that was sent after the session had ended. */
export function signedOutPage(texts: Texts): string {
  const { html } = texts;
  return page(
    texts,
    texts.text('account.signed-out-title'),
    `<h1>${html('account.signed-out')}</h1><p>${html('account.unchanged')}</p>
<p><a class="button" href="/account">${html('sign-in.button')}</a></p>`,
  );
}

export function forgottenPage(texts: Texts, fields: Readonly<Record<string, string>>): string {
  const { html } = texts;
  return page(
    texts,
    texts.text('forgot.title'),
    `<h1>${html('forgot.heading')}</h1><p>${html('forgot.what')}</p>
<form method="post" action="/account/forgot">${hidden(fields)}
<label>${html('sign-in.email')}<input name="email_address" type="email" autocomplete="username" required autofocus></label>
<button>${html('forgot.button')}</button></form>`,
  );
}

/** The answer for every address, whether an account has it or not. */
export function askedPage(texts: Texts): string {
  const { html } = texts;
  return page(
    texts,
    texts.text('forgot.asked'),
    `<h1>${html('forgot.asked')}</h1><p>${html('forgot.asked-what')}</p>
<p>${html('forgot.asked-next')}</p>`,
  );
}
