/**
 * Texts from outside (a file name, an answer of a server) on their way to a terminal. Control characters can move the cursor, change
 * colours, set the title of the window or make the terminal send text as if it was typed; bidirectional marks change the order of
 * the letters around them, so that a text appears to be another one.
 */

/** Control characters (C0, DEL, C1), bidirectional marks, and the separators that some terminals show as line breaks. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
/** Of these, the characters that `JSON.stringify` writes unchanged. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** Returns one line of text with U+FFFD in place of each character that a terminal would not show as a letter. */
export function terminalText(text: string): string {
  return text.replace(UNSAFE, '\ufffd');
}

/** Returns a text of several lines: like `terminalText`, but line breaks and tabs stay. */
export function terminalDocument(text: string): string {
  return text.replace(UNSAFE, (character, at: number) => {
    const isBreak = character === '\n' || (character === '\r' && text[at + 1] === '\n');
    return isBreak || character === '\t' ? character : '\ufffd';
  });
}

/** Returns a value as JSON that has the same meaning for programs and is safe to show on a terminal. `indent`: columns a level. */
export function terminalJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(
    UNSAFE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
