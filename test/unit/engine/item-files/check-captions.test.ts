import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCaptions, MAX_CAPTIONS_BYTES } from '../../../../electron/engine/item-files/check-captions.ts';
import { computingTime } from '../../../helpers/time/computing-time.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
const SRT = '1\n00:00:01,000 --> 00:00:02,000\nGrüße\n';
const TTML = '<?xml version="1.0"?>\n<!-- made by hand -->\n<tt xmlns="http://www.w3.org/ns/ttml"><body/></tt>';

describe('checkCaptions', () => {
  it.each([
    ['WebVTT', bytes('WEBVTT\n\n00:01.000 --> 00:02.000\nx\n'), { format: 'vtt', isUtf8: true }],
    ['WebVTT with a byte order mark', bytes('\ufeffWEBVTT'), { format: 'vtt', isUtf8: true }],
    ['SRT', bytes(SRT), { format: 'srt', isUtf8: true }],
    ['SRT in Latin-1', bytes(SRT, 'latin1'), { format: 'srt', isUtf8: false }],
    [
      'SRT in UTF-16',
      Buffer.concat([bytes('\ufeff', 'utf16le'), bytes(SRT, 'utf16le')]),
      { format: 'srt', isUtf8: false },
    ],
    ['TTML', bytes(TTML), { format: 'dfxp', isUtf8: true }],
    ['TTML with a prefix', bytes('<t:tt xmlns:t="x"></t:tt>'), { format: 'dfxp', isUtf8: true }],
  ])('detects %s by its bytes', (_name, given, facts) => {
    expect(checkCaptions(given)).toEqual(facts);
  });

  it.each([
    ['a text', bytes('hello'), 'captions.unknown-format'],
    ['a web page', bytes('<!doctype html><title>404</title>'), 'captions.unknown-format'],
    ['a picture', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'captions.unknown-format'],
    ['a recording with the bytes of captions', bytes(`\0\0${SRT}`), 'captions.unknown-format'],
    ['WebVTT in Latin-1', bytes('WEBVTT\n\n00:01.000 --> 00:02.000\nGrüße\n', 'latin1'), 'captions.not-utf8'],
    ['WebVTT in UTF-16', bytes('\ufeffWEBVTT\n', 'utf16le'), 'captions.not-utf8'],
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
