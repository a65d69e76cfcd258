import { analyse } from 'chardet';
import { isValid } from './decode.ts';
import { LEGACY_ENCODINGS, type LegacyEncoding } from './encoding-names.ts';

/**
 * The encodings by the detector's names. The Latin ones are read as the supersets that Windows wrote. Baltic and Vietnamese are left
 * out: the detector takes short French texts for them.
 */
const GUESSED: Readonly<Record<string, LegacyEncoding>> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-9': 'windows-1254',
  ...Object.fromEntries(
    LEGACY_ENCODINGS.filter((name) => name !== 'windows-1257' && name !== 'windows-1258').flatMap((name) => [
      [name, name],
      [name.toUpperCase(), name],
    ]),
  ),
  Shift_JIS: 'shift_jis',
  Big5: 'big5',
};
/** Below this confidence in percent, the detector only says that the bytes are possible. */
const LEAST_CONFIDENCE = 15;
/** The number of bytes of the lines that the detector gets. */
const SAMPLE_BYTES = 64 * 1024;

/**
 * Guesses the encoding of bytes that are not UTF-8 by how often letters follow each other. Can be wrong, above all for short
 * texts. Without any clue: Windows-1252.
 */
export function guessEncoding(bytes: Uint8Array): LegacyEncoding {
  const sample = foreignLines(bytes);
  for (const { name, confidence } of analyse(sample)) {
    const encoding = GUESSED[name];
    if (encoding !== undefined && confidence >= LEAST_CONFIDENCE && isValid(sample, encoding)) return encoding;
  }
  return 'windows-1252';
}

/** Returns the first lines that have bytes outside of ASCII: the other lines are the same in every encoding. */
function foreignLines(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(bytes.length, SAMPLE_BYTES));
  let filled = 0;
  let from = 0;
  let isForeign = false;
  for (let at = 0; at < bytes.length && filled < sample.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80) isForeign = true;
    if (byte !== 0x0a && byte !== 0x0d && at !== bytes.length - 1) continue;
    if (isForeign) {
      const line = bytes.subarray(from, Math.min(at + 1, from + sample.length - filled));
      sample.set(line, filled);
      filled += line.length;
    }
    from = at + 1;
    isForeign = false;
  }
  return sample.subarray(0, filled);
}
