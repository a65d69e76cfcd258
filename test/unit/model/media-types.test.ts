import { expect, it } from 'vitest';
import { standaloneFileType } from '../../../shared/model/media-types.ts';

it.each(['Lecture 07.srt', 'a.VTT', 'x.dfxp', 'x.y.ttml'])(
  '%s as an item of its own is requested as a download',
  (name) => {
    expect(standaloneFileType(name)).toBe('blob');
  },
);

it.each(['a.mp4', 'srt', '.srt', 'a.srt.mp4', 'noextension'])('the library detects the type of %s', (name) => {
  expect(standaloneFileType(name)).toBeUndefined();
});
