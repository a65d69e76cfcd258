const SRT_TIME = /(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})/;
const SRT_LINE = new RegExp(`^\\s*${SRT_TIME.source}\\s*-->\\s*${SRT_TIME.source}`);

/**
 * Returns captions as WebVTT, which players of the web show: WebVTT unchanged, SRT converted. null for other formats.
 * Accepts a byte order mark and all line ends.
 */
export function captionsAsVtt(given: string): string | null {
  const text = given.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (/^WEBVTT(?:[ \t\n]|$)/.test(text)) return text;
  const lines = text.split('\n');
  if (!lines.some((line) => SRT_LINE.test(line))) return null;
  const converted = lines.map((line) => {
    const times = SRT_LINE.exec(line);
    if (times === null) return line;
    const [, h1, m1, s1, f1 = '', h2, m2, s2, f2 = ''] = times;
    return `${h1?.padStart(2, '0')}:${m1}:${s1}.${f1.padEnd(3, '0')} --> ${h2?.padStart(2, '0')}:${m2}:${s2}.${f2.padEnd(3, '0')}`;
  });
  return `WEBVTT\n\n${converted.join('\n')}`;
}
