/** The shortest password that a user may choose, in characters. */
export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 1000;

/** Why a password can't be used. */
export type PasswordProblem = 'too-short' | 'too-long' | 'differs' | 'address' | 'one-character' | 'not-text';

/**
 * Checks a new password that was typed twice. There are no rules about kinds of characters, as NIST SP 800-63B recommends: length counts.
 * Spaces at the ends belong to it.
 */
export function passwordProblem(password: string, again: string, email: string): PasswordProblem | undefined {
  const length = [...password].length;
  if (length < MIN_PASSWORD) return 'too-short';
  if (password.length > MAX_PASSWORD) return 'too-long';
  if (password !== again) return 'differs';
  if (!password.isWellFormed() || password.includes('\0')) return 'not-text';
  if (new Set(password).size === 1) return 'one-character';
  if (password.toLowerCase().includes(email.toLowerCase())) return 'address';
  return undefined;
}
