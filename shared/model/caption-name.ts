import { LANGUAGE, languageBeforeLabel } from './pairing/caption-stems.ts';
import { splitFileName } from './title-template.ts';

/** The parts of a captions file's name: `Interview.de.vtt`, or by `captionFileName`: `German (simple).de.vtt`. */
export interface CaptionName {
  label: string;
  /** A language tag such as `en` or `pt-BR`; null without one. */
  language: string | null;
}

/**
 * Reads label and language from the name of a captions file. The API has no other field for them. A usual label may follow the
 * language: `Interview.de.sdh.vtt`.
 */
export function readCaptionName(fileName: string): CaptionName {
  const { stem } = splitFileName(fileName);
  const labelled = languageBeforeLabel(stem);
  if (labelled !== null) return { label: labelled.label, language: labelled.language.replaceAll('_', '-') };
  const dot = stem.lastIndexOf('.');
  const language = dot > 0 && LANGUAGE.test(stem.slice(dot + 1)) ? stem.slice(dot + 1).replaceAll('_', '-') : null;
  return { label: language === null ? stem : stem.slice(0, dot), language };
}

/**
 * Returns the name of a captions file from which `readCaptionName` reads the same label and language, such as
 * `German (simple).de.vtt`. `extension`: without the dot.
 */
export function captionFileName({ label, language }: CaptionName, extension: string): string {
  const plain = label.replace(/[\p{Cc}/\\]+/gu, ' ').trim();
  if (language !== null) return `${plain === '' ? language : plain}.${language}.${extension}`;
  // Without a language, the end of the label must not be read as one.
  const isAmbiguous = readCaptionName(`${plain}.${extension}`).language !== null;
  return `${isAmbiguous ? plain.replaceAll('.', ' ') : plain || 'captions'}.${extension}`;
}

/** Returns the label that captions with this name have in the library: a file name can't contain every character of a label. */
export function savedCaptionLabel(name: CaptionName): string {
  return readCaptionName(captionFileName(name, 'vtt')).label;
}
