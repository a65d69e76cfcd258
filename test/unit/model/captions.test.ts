import { describe, expect, it } from 'vitest';
import { readCaptionName } from '../../../shared/model/caption-name.ts';
import { captionsAsVtt } from '../../../shared/model/caption-text.ts';

describe('the conversion of captions for the player', () => {
  it('keeps WebVTT and drops a byte order mark', () => {
    expect(captionsAsVtt('\uFEFFWEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nA')).toBe(
      'WEBVTT\n\n00:01.000 --> 00:02.000\nA',
    );
  });

  it('converts SRT with commas, short hours, short fractions and carriage returns as line ends', () => {
    expect(captionsAsVtt('1\r0:00:01,5 --> 100:00:02,250 X1:1\rText, with 1,5 commas\r')).toBe(
      'WEBVTT\n\n1\n00:00:01.500 --> 100:00:02.250\nText, with 1,5 commas\n',
    );
  });

  it.each(['', 'WEBVTTX', '<tt xml:lang="en"/>', 'no times', '--> -->'])('returns null for %j', (text) => {
    expect(captionsAsVtt(text)).toBeNull();
  });
});

describe('the name of captions', () => {
  it.each([
    ['Interview.de.vtt', { label: 'Interview', language: 'de' }],
    ['Talk.pt_BR.srt', { label: 'Talk', language: 'pt-BR' }],
    ['Talk.srt', { label: 'Talk', language: null }],
    ['.de.vtt', { label: '.de', language: null }],
    ['Version 1.2 final.vtt', { label: 'Version 1.2 final', language: null }],
  ])('%s gives label and language %j', (name, expected) => expect(readCaptionName(name)).toEqual(expected));
});
