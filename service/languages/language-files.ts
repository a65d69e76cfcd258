import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Translation } from './texts.ts';
import { checkTranslation } from './translation-problems.ts';

/**
 * Reads the files of further languages: `fr.json`, `pt-BR.json`. Files with other endings are left alone. Returns the translations by
 * their tags, and a sentence for each problem.
 */
export function readLanguageFiles(folder: string): { own: Record<string, Translation>; problems: string[] } {
  const own: Record<string, Translation> = {};
  const problems: string[] = [];
  for (const name of namesIn(folder, problems)) {
    const path = join(folder, name);
    const language = tagOf(name.slice(0, -'.json'.length));
    if (language === undefined) {
      problems.push(`The language file ${path} must have the tag of a language as its name, such as fr.json.`);
      continue;
    }
    try {
      const checked = checkTranslation(language, JSON.parse(readFileSync(path, 'utf8')));
      if (checked.kind === 'ok') own[language] = checked.translation;
      else problems.push(...checked.problems.map((problem) => `The language file ${path} can’t be used: ${problem}.`));
    } catch (error) {
      problems.push(
        `The language file ${path} can’t be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return { own, problems };
}

function namesIn(folder: string, problems: string[]): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted();
  } catch (error) {
    problems.push(`The languages can’t be read: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

/** Returns the canonical form of a tag; undefined when it is none, or a language of which this program has no rules. */
function tagOf(text: string): string | undefined {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text);
    return Intl.PluralRules.supportedLocalesOf(tag).length > 0 ? tag : undefined;
  } catch {
    return undefined;
  }
}
