import type { Case } from './case.ts';
import { SECTIONS } from './sections.ts';

/**
 * Returns the cases that at least one of the words selects, or all cases if there are no words. A word is the id or title of a
 * section, the id of a case, or the part of ids before a dot.
 */
export function selectCases(cases: readonly Case[], words: readonly string[]): Case[] {
  if (words.length === 0) return [...cases];
  return cases.filter((each) => words.some((word) => isNamed(each, word.trim().toLowerCase())));
}

function isNamed({ id, section }: Case, word: string): boolean {
  return section === word || SECTIONS[section].toLowerCase() === word || id === word || id.startsWith(`${word}.`);
}
