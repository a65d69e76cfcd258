import { expect, it } from 'vitest';
import { standaloneFileType } from '../../../shared/model/media-types.ts';

it.each(['Lecture 07.srt', 'a.VTT', 'x.dfxp', 'x.y.ttml'])('%s by itself is a file to download', (name) => {
  expect(standaloneFileType(name)).toBe('blob');
});

it.each(['a.mp4', 'srt', '.srt', 'a.srt.mp4', 'noextension'])('the library guesses what %s is', (name) => {
  expect(standaloneFileType(name)).toBeUndefined();
});
