/** Characters of an e-mail address (RFC 5321, 4.5.3.1.3). */
const MAX_EMAIL = 254;

/**
 * Returns whether a text can be an e-mail address: a name, one `@` and a host, without blanks. What a library accepts besides is not
 * known; an address that fails this is accepted by none.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.indexOf('@');
  const isOne = at > 0 && at < text.length - 1 && text.indexOf('@', at + 1) < 0;
  return isOne && text.length <= MAX_EMAIL && !/[\s\p{Cc}]/u.test(text);
}
