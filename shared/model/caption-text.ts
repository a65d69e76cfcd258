const SRT_TIME = /^(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})(?!\d)/;

/**
 * Returns captions as WebVTT, which players of the web show: WebVTT unchanged, SRT converted. null for other formats.
 * Accepts a byte order mark and all line ends.
 */
export function captionsAsVtt(given: string): string | null {
  const text = given.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (/^WEBVTT(?:[ \t\n]|$)/.test(text)) return text;
  let hasTimes = false;
  const converted = text.split('\n').map((line) => {
    const times = vttTimes(line);
    hasTimes ||= times !== null;
    return times ?? line;
  });
  return hasTimes ? `WEBVTT\n\n${converted.join('\n')}` : null;
}

/** Returns the line of an SRT file that holds the times of a text, in the form of WebVTT; null for other lines. */
function vttTimes(line: string): string | null {
  const [from, to] = line.split('-->', 2).map((text) => SRT_TIME.exec(text.trimStart()));
  return from && to ? `${vttTime(from)} --> ${vttTime(to)}` : null;
}

function vttTime([, hours = '', minutes, seconds, fraction = '']: RegExpExecArray): string {
  return `${hours.padStart(2, '0')}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
}
