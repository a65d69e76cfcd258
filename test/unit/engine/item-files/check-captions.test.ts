import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCaptions, shownFacts } from '../../../../electron/engine/common/check-captions.ts';
import { MAX_CAPTIONS_BYTES } from '../../../../shared/formats/captions/read-captions.ts';
import { computingTime } from '../../../helpers/time/computing-time.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
const SRT = '1\n00:00:01,000 --> 00:00:02,000\nGrüße\n';
const TTML =
  '<?xml version="1.0"?>\n<!-- made by hand -->\n<tt xmlns="http://www.w3.org/ns/ttml"><body><p>A</p></body></tt>';

describe('checkCaptions', () => {
  it.each([
    ['WebVTT', bytes('WEBVTT\n\n00:01.000 --> 00:02.000\nx\n'), 'vtt', 'utf-8', ''],
    ['SRT', bytes(SRT), 'srt', 'utf-8', 'Grüße'],
    ['SRT in Latin-1', bytes(SRT, 'latin1'), 'srt', 'windows-1252', 'Grüße'],
    ['SRT in UTF-16', Buffer.from(`\ufeff${SRT}`, 'utf16le'), 'srt', 'utf-16le', 'Grüße'],
    ['TTML', bytes(TTML), 'dfxp', 'utf-8', ''],
  ])('detects %s by its bytes', (_name, given, format, encoding, sample) => {
    expect(shownFacts(checkCaptions(given).read)).toEqual({
      format,
      encoding,
      isGuessed: encoding === 'windows-1252',
      sample,
    });
  });

  it('gives SRT of any encoding as UTF-8, and all other captions unchanged', () => {
    for (const given of [bytes(SRT, 'latin1'), Buffer.from(`\ufeff${SRT}`, 'utf16le')]) {
      expect(Buffer.from(checkCaptions(given).bytes).toString()).toBe(SRT);
    }
    for (const given of [bytes(SRT), bytes(TTML)]) expect(checkCaptions(given).bytes).toBe(given);
  });

  it.each([
    ['a text', bytes('hello'), 'captions.unknown-format'],
    ['a web page', bytes('<!doctype html><title>404</title>'), 'captions.unknown-format'],
    ['a picture', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'captions.unknown-format'],
    ['a recording with the bytes of captions', bytes(`\0\0${SRT}`), 'captions.unknown-format'],
    ['WebVTT in Latin-1', bytes('WEBVTT\n\n00:01.000 --> 00:02.000\nGrüße\n', 'latin1'), 'captions.not-utf8'],
    ['WebVTT in UTF-16', bytes('\ufeffWEBVTT\n', 'utf16le'), 'captions.not-utf8'],
    ['WebVTT without a cue', bytes('WEBVTT\n'), 'captions.empty'],
    ['WebVTT with commas', bytes('WEBVTT\n\n00:01,000 --> 00:02,000\nx\n'), 'captions.vtt-times'],
    ['WebVTT below a blank line', bytes('\nWEBVTT\n\n00:01.000 --> 00:02.000\nx\n'), 'captions.vtt-first-line'],
    ['WebVTT with doubled lines', bytes('WEBVTT\n\n00:01.000 --> 00:02.000\n\nx\n'), 'captions.vtt-lines'],
    ['another format', bytes('Scenarist_SCC V1.0\n'), 'captions.other-format'],
    ['a large file', Buffer.alloc(MAX_CAPTIONS_BYTES + 1), 'captions.too-large'],
  ])('refuses %s', (_name, given, code) => {
    expect(() => checkCaptions(given)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses random bytes, and checks the largest files of one repeated text within 2 s of computing time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (noise) => {
        expect(() => checkCaptions(noise)).toThrow(expect.objectContaining({ code: 'captions.unknown-format' }));
      }),
      { numRuns: 421 },
    );
    for (const line of ['<', '<!--', '-->', '00:00:01,000 --> ', '<tt'.repeat(3), ' ']) {
      const isWithin = computingTime(2000);
      try {
        checkCaptions(bytes(line.repeat(Math.floor(MAX_CAPTIONS_BYTES / line.length))));
      } catch {
        // Most of these texts are no captions: only the time matters here.
      }
      expect(isWithin(), line).toBe(true);
    }
  });
});
