// Captions as SubRip text.

function timecode(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const part = (value: number, length = 2) => String(value).padStart(length, '0');
  return `${part(Math.floor(ms / 3_600_000))}:${part(Math.floor(ms / 60_000) % 60)}:${part(Math.floor(ms / 1000) % 60)},${part(ms % 1000, 3)}`;
}

/** One caption for each line, `secondsEach` apart. */
export function srtFile(lines: readonly string[], secondsEach: number): Buffer {
  const cues = lines.map((line, index) => {
    const start = index * secondsEach;
    return `${index + 1}\r\n${timecode(start)} --> ${timecode(start + secondsEach - 0.2)}\r\n${line}\r\n`;
  });
  return Buffer.from(cues.join('\r\n'), 'utf8');
}
