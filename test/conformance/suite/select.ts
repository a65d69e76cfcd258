import type { Case } from './case.ts';
import { SECTIONS } from './sections.ts';

/**
 * The cases that an argument selects: a section by its id or title, a case by its id, or all whose id begins with the
 * argument. Without arguments, all cases.
 */
export function selectCases(cases: readonly Case[], words: readonly string[]): Case[] {
  if (words.length === 0) return [...cases];
  return cases.filter((each) => words.some((word) => isNamed(each, word.trim().toLowerCase())));
}

function isNamed({ id, section }: Case, word: string): boolean {
  return section === word || SECTIONS[section].toLowerCase() === word || id === word || id.startsWith(`${word}.`);
}
