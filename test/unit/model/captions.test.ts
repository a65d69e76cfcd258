import { describe, expect, it } from 'vitest';
import { readCaptionName } from '../../../shared/model/caption-name.ts';

describe('the name of captions', () => {
  it.each([
    ['Interview.de.vtt', { label: 'Interview', language: 'de' }],
    ['Talk.pt_BR.srt', { label: 'Talk', language: 'pt-BR' }],
    ['Talk.srt', { label: 'Talk', language: null }],
    ['.de.vtt', { label: '.de', language: null }],
    ['Version 1.2 final.vtt', { label: 'Version 1.2 final', language: null }],
  ])('%s gives label and language %j', (name, expected) => expect(readCaptionName(name)).toEqual(expected));
});
