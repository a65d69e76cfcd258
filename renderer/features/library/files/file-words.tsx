import { ExternalLink, Eye, Play } from 'lucide-react';
import type { Encoding, MediaFile } from '../../../../shared/api/files.ts';
import { readCaptionName } from '../../../../shared/model/caption-name.ts';
import { formatBytes, formatDuration } from '../../../kit/text/format.ts';
import { typeWord } from '../../../kit/text/states.ts';
import type { Showing } from '../state/files/playable.ts';
import { texts } from './texts.ts';

/** The icon of the button that shows a file. */
export function ShowIcon({ showing, size = 14 }: { showing: Showing; size?: number }) {
  if (showing === 'web') return <ExternalLink size={size} aria-hidden />;
  return showing === 'video' || showing === 'audio' ? (
    <Play size={size} aria-hidden />
  ) : (
    <Eye size={size} aria-hidden />
  );
}

/** The label of the button that shows a file. */
export function showWord(showing: Showing): string {
  if (showing === 'web') return texts.openInBrowser;
  return showing === 'video' || showing === 'audio' ? texts.play : texts.show;
}

/** The accessible name of the button that shows a file or an item of this name. */
export function showLabel(showing: Showing, name: string): string {
  if (showing === 'web') return texts.openFile(name);
  return showing === 'video' || showing === 'audio' ? texts.playFile(name) : texts.showFile(name);
}

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

/** Returns the facts of the library about a file as short texts: type, container, dimensions, length, bitrate, size. */
export function fileFactTexts(file: MediaFile | Encoding): string[] {
  const facts = [typeWord(file.type)];
  if (file.container) facts.push(file.container.toUpperCase());
  if (file.width !== null && file.height !== null) facts.push(`${file.width} × ${file.height}`);
  if (file.duration) facts.push(formatDuration(file.duration));
  if (file.max_bitrate) facts.push(texts.bitrate(formatBits(file.max_bitrate)));
  if (file.size !== null) facts.push(formatBytes(file.size));
  return facts;
}

/** `2.4 Mbit`: bits per second, as the API and players count. */
function formatBits(bits: number): string {
  return formatBytes(bits).replace(/ (k|M|G|T|P)?B$/, ' $1bit');
}

/** Joins the facts to one text that wraps only between facts, after the dot. */
export function factsText(facts: readonly string[]): string {
  return facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join('\u00a0· ');
}
