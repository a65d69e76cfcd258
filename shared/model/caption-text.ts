const SRT_TIME = /^(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})(?!\d)/;

/**
 * Returns captions as WebVTT, the format of web players: WebVTT unchanged, SRT converted. null for other formats. Accepts a byte
 * order mark and all line ends.
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

/** Converts a timing line of SRT to WebVTT. Returns null for any other line. */
function vttTimes(line: string): string | null {
  const [from, to] = line.split('-->', 2).map((text) => SRT_TIME.exec(text.trimStart()));
  return from && to ? `${vttTime(from)} --> ${vttTime(to)}` : null;
}

function vttTime([, hours = '', minutes, seconds, fraction = '']: RegExpExecArray): string {
  return `${hours.padStart(2, '0')}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
}
