/** The form of a language tag: `en`, `deu`, `pt-BR`, `zh-Hans`. */
export const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i;

/** Labels that subtitle programs write before or after the language. `hi` and `sdh` (hearing impaired) are also languages. */
const LABELS: ReadonlySet<string> = new Set([
  ...['auto', 'cc', 'commentary', 'default', 'descriptive', 'easy', 'forced', 'foreign', 'full', 'hi', 'lyrics'],
  ...['original', 'sdh', 'signs', 'simple', 'songs', 'transcript', 'translated', 'translation'],
]);
/** The maximum number of parts behind the name of the recording. */
const MOST_PARTS = 4;

/**
 * Returns the names that the recording of captions can have, the longest first: for `talk.sdh.en` that is `talk.sdh.en`, then
 * `talk.sdh`, then `talk`. Behind the name are one language, as a tag or by its name, and labels. A part counts as a label when it
 * is a usual one or the name of the language, such as `talk.Deutsch (einfach).de`: another part may belong to the name of a
 * recording in another folder.
 */
export function stemsOfCaptions(stem: string): string[] {
  const stems = [stem];
  let language: string | null = null;
  let rest = stem;
  while (stems.length <= MOST_PARTS) {
    const plain = beforeLastDot(rest);
    if (plain === null) break;
    const part = rest.slice(plain.length + 1);
    const hasNoLanguage = language === null || LABELS.has(language.toLowerCase());
    if (hasNoLanguage && isLanguage(part)) language = part;
    else if (!isLabel(part, language) && !(hasNoLanguage && isLanguageName(part))) break;
    stems.push(plain);
    rest = plain;
  }
  return stems;
}

/**
 * Returns the language that is in front of labels, with the rest of the name: `talk.en.sdh` has the language `en` and the label
 * `talk.sdh`. Null for other names.
 */
export function languageBeforeLabel(stem: string): { label: string; language: string } | null {
  const labels: string[] = [];
  let rest = stem;
  for (let plain = beforeLastDot(rest); plain !== null && labels.length < MOST_PARTS; plain = beforeLastDot(rest)) {
    const part = rest.slice(plain.length + 1);
    if (LABELS.has(part.toLowerCase())) labels.unshift(part);
    else return labels.length > 0 && isLanguage(part) ? { label: [plain, ...labels].join('.'), language: part } : null;
    rest = plain;
  }
  return null;
}

function beforeLastDot(text: string): string | null {
  const dot = text.lastIndexOf('.');
  return dot > 0 ? text.slice(0, dot) : null;
}

/** Returns a part in small letters, without a remark in parentheses. */
function plainPart(part: string): string {
  return part
    .normalize('NFC')
    .toLowerCase()
    .replace(/\([^()]*\)$/, '')
    .trimEnd();
}

function isLabel(part: string, language: string | null): boolean {
  const text = plainPart(part);
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

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Languages with longer tags whose names are usual in names of captions. */
const MORE_LANGUAGES = ['fil', 'yue', 'en-GB', 'en-US', 'es-419', 'fr-CA', 'pt-BR', 'zh-Hans', 'zh-Hant'];
let languageNames: ReadonlySet<string> | null = null;

/** Returns whether a text is the name of a language in English or in itself, such as `English` or `Deutsch (einfach)`. */
function isLanguageName(part: string): boolean {
  languageNames ??= new Set(
    [...LETTERS.flatMap((one) => LETTERS.map((other) => one + other)), ...MORE_LANGUAGES]
      .filter(isLanguage)
      .flatMap((tag) => ['en', tag].flatMap((shownIn) => nameIn(shownIn, tag))),
  );
  return languageNames.has(plainPart(part));
}
