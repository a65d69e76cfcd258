import { readCaptionName } from '../../../../shared/model/caption-name.ts';

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Returns `German`, or the label of the captions with their language: `Simple (German)`. Returns a plain file name unchanged. */
export function captionsLabel(fileName: string): string {
  const { label, language } = readCaptionName(fileName);
  const name = language === null ? null : languageName(language);
  if (name === null) return label;
  return label === '' || label === name ? name : `${label} (${name})`;
}

/** Returns the English name of a language; null for a tag that is no language. */
function languageName(tag: string): string | null {
  try {
    return LANGUAGES.of(tag) ?? null;
  } catch {
    return null;
  }
}
