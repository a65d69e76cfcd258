/** Captions are small; more than this is something else. */
export const MAX_CAPTIONS_BYTES = 10 * 1024 * 1024;

const TIME = /^(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})$/;
const TIMING = /^\s*(\S+)\s+-->\s+(\S+)/;

export type CaptionsFormat = 'srt' | 'vtt' | 'dfxp';

/** What captions are, by their content; undefined when they are none of the three. */
export function captionsFormat(text: string): CaptionsFormat | undefined {
  const clean = text.replace(/^\ufeff/, '').trimStart();
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(clean)) return 'vtt';
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:\w+:)?tt[\s>]/.test(clean)) return 'dfxp';
  return clean.split(/\r?\n|\r/).some((row) => timingOf(row) !== undefined) ? 'srt' : undefined;
}

function timingOf(row: string): string | undefined {
  const [, from = '', to = ''] = TIMING.exec(row) ?? [];
  const [start, end] = [vttTime(from), vttTime(to)];
  return start && end ? `${start} --> ${end}` : undefined;
}

function vttTime(text: string): string | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [, hours = '', minutes = '', seconds = '', fraction = ''] = match;
  return `${hours.padStart(2, '0')}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
}

/**
 * SRT as WebVTT: cue numbers go, commas become points, and what would be markup in the other format is escaped except
 * for bold, italics and underline, which both know.
 */
export function srtToVtt(srt: string): string {
  const rows = srt.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const cues: string[] = [];
  let cue: string[] | undefined;
  const finish = () => {
    if (cue && cue.length > 1) cues.push(cue.join('\n'));
    cue = undefined;
  };
  for (const row of rows) {
    const timing = timingOf(row);
    if (timing) {
      finish();
      cue = [timing];
    } else if (row.trim() === '') {
      finish();
    } else if (cue) {
      cue.push(cueText(row));
    }
  }
  finish();
  return `WEBVTT\n\n${cues.join('\n\n')}\n`;
}

function cueText(row: string): string {
  return row
    .replace(/<(?!\/?[biu]>)[^>]*>/g, '')
    .replace(/&(?!(?:amp|lt|gt|nbsp);)/g, '&amp;')
    .replaceAll('-->', '→');
}
