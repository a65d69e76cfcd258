/** The form of a language tag: `en`, `deu`, `pt-BR`, `zh-Hans`. */
export const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i;

/** Labels that subtitle programs write between the name and the language. */
const LABELS: ReadonlySet<string> = new Set([
  ...['auto', 'cc', 'commentary', 'default', 'descriptive', 'easy', 'forced', 'foreign', 'full', 'hi', 'lyrics'],
  ...['original', 'sdh', 'signs', 'simple', 'songs', 'transcript', 'translated', 'translation'],
]);

/**
 * Returns the names that the recording of captions can have, the longest first: for `talk.sdh.en` that is `talk.sdh.en`, then
 * `talk.sdh`, then `talk`. A part counts as a label when it is a usual one or the name of the language, such as `talk.Deutsch
 * (einfach).de`: another part may belong to the name of a recording in another folder.
 */
export function stemsOfCaptions(stem: string): string[] {
  const stems = [stem];
  const plain = beforeLastDot(stem);
  const last = plain === null ? '' : stem.slice(plain.length + 1);
  if (plain === null) return stems;
  if (!isLanguage(last)) return isLabel(last, null) ? [...stems, plain] : stems;
  stems.push(plain);
  const bare = beforeLastDot(plain);
  if (bare !== null && isLabel(plain.slice(bare.length + 1), last)) stems.push(bare);
  return stems;
}

function beforeLastDot(text: string): string | null {
  const dot = text.lastIndexOf('.');
  return dot > 0 ? text.slice(0, dot) : null;
}

function isLabel(part: string, language: string | null): boolean {
  const text = part
    .normalize('NFC')
    .toLowerCase()
    .replace(/\([^()]*\)$/, '')
    .trimEnd();
  return LABELS.has(text) || (language !== null && namesOf(language).has(text));
}

/**
 * Returns whether a text is the tag of a language with a name: `talk.cut` is a cut version, not captions in the language “cut”.
 */
function isLanguage(text: string): boolean {
  if (!LANGUAGE.test(text)) return false;
  const base = text.split(/[-_]/)[0] ?? text;
  return LANGUAGE_NAMES.of(base.toLowerCase()) !== undefined;
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

const known = new Map<string, ReadonlySet<string>>();
const MOST_KNOWN = 200;

/** The names of a language in English and in itself, in small letters. */
function namesOf(language: string): ReadonlySet<string> {
  let names = known.get(language);
  if (names === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    names = new Set(['en', language.replaceAll('_', '-')].flatMap((shownIn) => nameIn(shownIn, language)));
    known.set(language, names);
  }
  return names;
}

function nameIn(shownIn: string, language: string): string[] {
  const tag = language.replaceAll('_', '-');
  try {
    const forms = [tag, tag.split('-')[0] ?? tag];
    return forms.map((form) => (new Intl.DisplayNames(shownIn, { type: 'language' }).of(form) ?? form).toLowerCase());
  } catch {
    // A text that looks like a language tag need not be one.
    return [];
  }
}
