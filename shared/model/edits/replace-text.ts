/** A text to find and its replacement; both are literal. */
export interface Replacement {
  find: string;
  replaceWith: string;
  matchCase: boolean;
}

/** Replaces every occurrence in a text. `count`: the number of occurrences. */
export function replaceText(
  text: string,
  { find, replaceWith, matchCase }: Replacement,
): { text: string; count: number } {
  if (find === '') return { text, count: 0 };
  if (matchCase) {
    const parts = text.split(find);
    return { text: parts.join(replaceWith), count: parts.length - 1 };
  }
  const wanted = foldedText(find).text;
  // Lower case changes no position in ASCII text, so it needs no table of positions.
  const { text: folded, placeOf } = ASCII.test(text)
    ? { text: text.toLowerCase(), placeOf: (at: number) => at }
    : foldedText(text);
  let result = '';
  let copied = 0;
  let count = 0;
  for (let at = folded.indexOf(wanted); at >= 0; ) {
    const [start, end] = [placeOf(at), placeOf(at + wanted.length)];
    // A letter in lower case can have several characters: a match must not begin or end within one.
    const isMatch = start !== undefined && end !== undefined;
    if (isMatch) {
      result += text.slice(copied, start) + replaceWith;
      copied = end;
      count += 1;
    }
    at = folded.indexOf(wanted, isMatch ? at + wanted.length : at + 1);
  }
  return { text: result + text.slice(copied), count };
}

const ASCII = /^[ -~\s]*$/;

/**
 * Returns a text in lower case. `placeOf`: the position in the given text for each position at which a letter begins or the text
 * ends; otherwise undefined.
 */
function foldedText(text: string): { text: string; placeOf(at: number): number | undefined } {
  const starts = new Map<number, number>();
  let folded = '';
  let at = 0;
  for (const letter of text) {
    starts.set(folded.length, at);
    folded += letter.toLowerCase();
    at += letter.length;
  }
  starts.set(folded.length, at);
  return { text: folded, placeOf: (place) => starts.get(place) };
}
