/** Characters that could change how the text around a name looks, or that are invisible. Line breaks and tabs are shown as blanks. */
const SPECIAL = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;
/** Of these, the ones that reorder or hide text. Marks without an effect of their own (LRM, RLM, ALM) belong to names of some languages. */
const HARMFUL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066\u2067]/gu;
const ISOLATES = /[\u2068\u2069]/g;
/** Letters that are written from right to left, and their marks. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u061c\ufb1d-\ufdff\ufe70-\ufefe]|[\ud802\ud803\ud83a\ud83b][\udc00-\udfff]/;
const BLANKS = '\t\n\r';
const MARK = '\ufffd';
const [FIRST_STRONG, END] = ['\u2068', '\u2069'];

/**
 * Returns a name from outside as it is shown among other texts: with U+FFFD in place of each control character and of each character
 * that would change the direction of letters, and isolated from the text around it when it has letters that are written from right to
 * left. The result stays as it is when it is shown within a longer text.
 */
export function shownName(name: string): string {
  const isPlain = !SPECIAL.test(name);
  if (isPlain && !RIGHT_TO_LEFT.test(name)) return name;
  const safe = isPlain ? name : balanced(name.replace(HARMFUL, (each) => (BLANKS.includes(each) ? each : MARK)));
  const isIsolated = safe.startsWith(FIRST_STRONG) && safe.indexOf(END) === safe.length - 1;
  return RIGHT_TO_LEFT.test(safe) && !isIsolated ? `${FIRST_STRONG}${safe}${END}` : safe;
}

/** Marks the ends of isolates that do not begin, and the beginnings of isolates that do not end. */
function balanced(text: string): string {
  const open: number[] = [];
  const odd = new Set<number>();
  for (const { 0: isolate, index } of text.matchAll(ISOLATES)) {
    if (isolate === FIRST_STRONG) open.push(index);
    else if (open.pop() === undefined) odd.add(index);
  }
  for (const index of open) odd.add(index);
  return odd.size === 0 ? text : text.replace(ISOLATES, (isolate, index: number) => (odd.has(index) ? MARK : isolate));
}
