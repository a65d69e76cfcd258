import { splitFileName } from './title-template.ts';

/** What the name of captions says: `Interview.de.vtt`, or as made by `captionFileName`: `German (simple).de.vtt`. */
export interface CaptionName {
  label: string;
  /** A language tag such as `en` or `pt-BR`; null without one. */
  language: string | null;
}

const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i;

/** Reads label and language from the name of a captions file. The API has no other field for them. */
export function readCaptionName(fileName: string): CaptionName {
  const { stem } = splitFileName(fileName);
  const dot = stem.lastIndexOf('.');
  const language = dot > 0 && LANGUAGE.test(stem.slice(dot + 1)) ? stem.slice(dot + 1).replaceAll('_', '-') : null;
  return { label: language === null ? stem : stem.slice(0, dot), language };
}
