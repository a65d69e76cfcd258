import type { MenuItemConstructorOptions, Session } from 'electron';
import { texts } from './texts.ts';

/** Whether the window checks spelling, and in which languages (`de`, `en-US`). */
export interface Spelling {
  isOn: boolean;
  languages: readonly string[];
}

/**
 * On a Mac the system checks spelling. On other systems Electron downloads dictionaries, so the spell checker is off until the
 * user turns it on.
 */
const isOfSystem = (platform: string) => platform === 'darwin';

type SpellingSession = Pick<
  Session,
  'setSpellCheckerEnabled' | 'setSpellCheckerLanguages' | 'availableSpellCheckerLanguages'
>;

/**
 * Prevents a new session from downloading the dictionary of the system's language, which Electron starts by itself. The languages
 * are cleared first: turning the checker off loads those that are set.
 */
export function forbidDictionaries(session: SpellingSession, platform: string = process.platform): void {
  if (isOfSystem(platform)) return;
  session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
}

/** Applies the setting of the user. */
export function applySpelling(
  session: SpellingSession,
  { isOn, languages }: Spelling,
  platform: string = process.platform,
): void {
  if (isOfSystem(platform)) {
    session.setSpellCheckerEnabled(true);
    return;
  }
  const known = languages.filter((language) => session.availableSpellCheckerLanguages.includes(language));
  if (!isOn || known.length === 0) {
    forbidDictionaries(session, platform);
    return;
  }
  session.setSpellCheckerLanguages(known);
  session.setSpellCheckerEnabled(true);
}

/** Returns the setting as the settings view shows it. */
export function shownSpelling(
  session: SpellingSession,
  { isOn, languages }: Spelling,
  platform: string = process.platform,
) {
  const isSystems = isOfSystem(platform);
  return {
    isOfSystem: isSystems,
    isOn: isOn || isSystems,
    language: languages[0] ?? null,
    available: isSystems ? [] : [...session.availableSpellCheckerLanguages].sort(),
  };
}

/** The facts on which the menu of a text field depends. */
export interface FieldMenuFacts {
  isEditable: boolean;
  selectionText: string;
  misspelledWord: string;
  dictionarySuggestions: readonly string[];
}

/** Returns the context menu of a text; empty when it has no commands. `replace` and `learn` change the misspelled word. */
export function fieldMenu(
  { isEditable, selectionText, misspelledWord, dictionarySuggestions }: FieldMenuFacts,
  { replace, learn }: { replace(word: string): void; learn(word: string): void },
): MenuItemConstructorOptions[] {
  const words = texts.fieldMenu;
  if (!isEditable) return selectionText.trim() === '' ? [] : [{ role: 'copy', label: words.copy }];
  const suggestions = dictionarySuggestions.map((word) => ({ label: word, click: () => replace(word) }));
  const spelling: MenuItemConstructorOptions[] =
    misspelledWord === ''
      ? []
      : [
          ...(suggestions.length === 0 ? [{ label: words.noSuggestions, enabled: false }] : suggestions),
          { type: 'separator' },
          { label: words.learn(misspelledWord), click: () => learn(misspelledWord) },
          { type: 'separator' },
        ];
  return [
    ...spelling,
    { role: 'cut', label: words.cut },
    { role: 'copy', label: words.copy },
    { role: 'paste', label: words.paste },
    { type: 'separator' },
    { role: 'selectAll', label: words.selectAll },
  ];
}
