import { appError } from '../../../shared/contract/app-error.ts';
import { isSameText, type RedirectAnswer } from './loopback-redirect.ts';

/** The longest code that is accepted. */
const MOST_CODE_CHARS = 2048;

/**
 * Reads what a user copied from the last page of a sign-in: its title (`Success code=…&state=…`, `Denied error=…`), the part of the
 * title behind the first word, or the code alone. Returns null for another text. `mismatch`: the title is that of another sign-in.
 */
export function readPastedCode(text: string, state: string): RedirectAnswer | 'mismatch' | null {
  const words = text.trim().replace(/^(?:Success|Denied)(?: |$)/, '');
  if (!/^(?:code|error)=/.test(words)) {
    return words !== '' && words.length <= MOST_CODE_CHARS && !/[\s=&]/.test(words)
      ? { kind: 'code', code: words }
      : null;
  }
  const parameters = new URLSearchParams(words);
  const given = parameters.get('state');
  // A title may be cut off behind the code; the code itself belongs to one sign-in (PKCE).
  if (given !== null && !isSameText(given, state)) return 'mismatch';
  const error = parameters.get('error');
  if (error !== null) return { kind: 'error', error, description: parameters.get('error_description') ?? '' };
  const code = parameters.get('code') ?? '';
  return code === '' ? null : { kind: 'code', code };
}

/** Passes the code that a user pastes to the sign-in that waits for it. */
export class PastedCode {
  #take: ((text: string) => void) | null = null;

  /** Throws `input.invalid` for a text that contains no code, and `sign-in.not-waiting`. */
  give(text: string): void {
    if (this.#take === null) throw appError('sign-in.not-waiting');
    this.#take(text);
  }

  /** Waits for the code of one sign-in. `close` ends the wait. */
  wait(state: string): { answer: Promise<RedirectAnswer>; close(): void } {
    let take: (text: string) => void = () => undefined;
    const answer = new Promise<RedirectAnswer>((resolve, reject) => {
      take = (text) => {
        const read = readPastedCode(text, state);
        if (read === null) {
          throw appError('input.invalid', { message: 'This isn’t the code of a sign-in page. Copy it again.' });
        }
        if (read === 'mismatch') reject(appError('sign-in.state-mismatch'));
        else resolve(read);
      };
    });
    // The caller may stop waiting: that must not cause an unhandled rejection.
    answer.catch(() => {});
    this.#take = take;
    const close = () => {
      if (this.#take === take) this.#take = null;
    };
    return { answer, close };
  }
}
