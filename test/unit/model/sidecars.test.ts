import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairSidecars } from '../../../shared/model/sidecars.ts';

const pairs = (...names: string[]) =>
  Object.fromEntries([...pairSidecars(names)].map(([name, mates]) => [name, mates.map(({ fileName }) => fileName)]));

describe('the sidecars of a recording', () => {
  it.each([
    [['a.mp4', 'a.srt', 'a.vtt'], { 'a.mp4': ['a.srt', 'a.vtt'] }],
    [['a.mp4', 'a.en.vtt', 'a.pt-BR.srt', 'a.zh_Hans.vtt'], { 'a.mp4': ['a.en.vtt', 'a.pt-BR.srt', 'a.zh_Hans.vtt'] }],
    [['a.MP4', 'a.SRT', 'a.JPG'], { 'a.MP4': ['a.JPG', 'a.SRT'] }],
    [['a.mp4', 'a.final.srt', 'b.srt', 'ab.srt'], {}],
    [['a.mp4', 'a.jpg', 'a.png'], { 'a.mp4': ['a.jpg'] }],
    [['a.mp4', 'a.mp3', 'a.srt'], { 'a.mp4': ['a.srt'] }],
    [['a.mp3', 'a.srt'], { 'a.mp3': ['a.srt'] }],
    [['a.pdf', 'a.srt', 'a.jpg'], {}],
    [['a.en.mp4', 'a.mp4', 'a.en.srt'], { 'a.en.mp4': ['a.en.srt'] }],
    [['u\u0308.mp4', '\u00fc.srt'], { 'u\u0308.mp4': ['\u00fc.srt'] }],
    [['u\u0308.mp4', '\u00fc.mp4', '\u00fc.srt'], { '\u00fc.mp4': ['\u00fc.srt'] }],
    [['u\u0308.mp4', '\u00fc.mp4', 'u\u0308.en.srt'], { 'u\u0308.mp4': ['u\u0308.en.srt'] }],
  ])('%j', (names, expected) => {
    expect(pairs(...names)).toEqual(expected);
  });

  it('belong to one recording only, and are never recordings themselves', () => {
    const name = fc
      .tuple(fc.constantFrom('a', 'b', 'a.en'), fc.constantFrom('mp4', 'mp3', 'srt', 'en.vtt', 'jpg', 'png'))
      .map(([stem, ending]) => `${stem}.${ending}`);
    fc.assert(
      fc.property(fc.uniqueArray(name), (names) => {
        const mates = Object.values(pairs(...names)).flat();
        expect(new Set(mates).size).toBe(mates.length);
        expect(mates.every((mate) => /\.(srt|vtt|jpg|png)$/.test(mate) && names.includes(mate))).toBe(true);
      }),
    );
  });
});
