import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captionFileName, readCaptionName, savedCaptionLabel } from '../../../shared/model/caption-name.ts';

describe('captionFileName', () => {
  it('returns a name from which the same label and language are read', () => {
    const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const language = fc.constantFrom('de', 'pt-BR', 'zh-Hant', 'fil');
    fc.assert(
      fc.property(label, language, fc.constantFrom('vtt', 'srt', 'dfxp'), (given, tag, extension) => {
        const plain = given.replace(/[\p{Cc}/\\]+/gu, ' ').trim();
        fc.pre(plain !== '');
        const read = readCaptionName(captionFileName({ label: given, language: tag }, extension));
        expect(read).toEqual({ label: plain, language: tag });
      }),
      { numRuns: 2000 },
    );
  });

  it('never returns a name in which the end of the label is read as a language', () => {
    expect(readCaptionName(captionFileName({ label: 'Talk.de', language: null }, 'vtt'))).toEqual({
      label: 'Talk de',
      language: null,
    });
    expect(captionFileName({ label: '', language: null }, 'vtt')).toBe('captions.vtt');
    expect(captionFileName({ label: '', language: 'de' }, 'vtt')).toBe('de.de.vtt');
  });
});

describe('readCaptionName', () => {
  it.each([
    ['Film.en.vtt', 'Film', 'en'],
    ['Film.en.sdh.srt', 'Film.sdh', 'en'],
    ['Film.pt_BR.forced.srt', 'Film.forced', 'pt-BR'],
    ['Film.en.hi.srt', 'Film.hi', 'en'],
    ['Film.en.sdh.forced.srt', 'Film.sdh.forced', 'en'],
    ['Film.hi.srt', 'Film', 'hi'],
    ['Film.sdh.en.srt', 'Film.sdh', 'en'],
    ['Film.cut.cc.srt', 'Film.cut', 'cc'],
  ])('reads from %s the label %s and the language %s', (name, label, language) => {
    expect(readCaptionName(name)).toEqual({ label, language });
  });
});

describe('savedCaptionLabel', () => {
  it.each([
    ['German (simple)', 'de', 'German (simple)'],
    ['AC/DC', 'de', 'AC DC'],
    ['back\\slash', 'de', 'back slash'],
    ['a\u0007b', null, 'a b'],
    ['Talk.de', null, 'Talk de'],
    ['/', 'de', 'de'],
  ])('of %j with the language %j is %j', (label, language, saved) => {
    expect(savedCaptionLabel({ label, language })).toBe(saved);
  });
});
