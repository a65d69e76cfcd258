import { UsageError } from '../arguments/usage-error.ts';

/** Asks twice for a new password. `ask`: null without a terminal. Throws `UsageError` when there is none, or the two differ. */
export async function askNewPassword(ask: ((question: string) => Promise<string>) | null): Promise<string> {
  if (ask === null) throw new UsageError('Run the command in a terminal: --password-prompt asks for a password there.');
  const password = await ask('Password of the new user: ');
  if (password === '') throw new UsageError('The password is empty. Nothing was created.');
  if ((await ask('The same password again: ')) === password) return password;
  throw new UsageError('The two passwords differ. Nothing was created.');
}
