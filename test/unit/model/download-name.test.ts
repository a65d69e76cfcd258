import fc from 'fast-check';
import { expect, it } from 'vitest';
import { downloadName, numberedName } from '../../../shared/model/download-name.ts';

it.each([
  ['Talk.mp4', null, 'Talk.mp4'],
  ['Talk', 'MP4', 'Talk.mp4'],
  ['../../etc/passwd', null, '_.._etc_passwd'],
  ['..', 'mp4', 'file.mp4'],
  ['', null, 'file'],
  ['a\u0000b\u202egpj.exe', null, 'abgpj.exe'],
  ['a\u0085b\u2028c\ufeff.mp4', null, 'abc.mp4'],
  ['CON.mp4', null, '_CON.mp4'],
  ['com¹.mp4', null, '_com¹.mp4'],
  ['LPT³', null, '_LPT³'],
  ['CONIN$.txt', null, '_CONIN$.txt'],
  ['conout$', 'mp4', '_conout$.mp4'],
  ['nul .mp4', null, '_nul.mp4'],
  ['Console.mp4', null, 'Console.mp4'],
  ['Lecture 3: optics?', 'mp4', 'Lecture 3_ optics_.mp4'],
  ['C:\\x.mp4', null, 'C__x.mp4'],
])('the file name of %j (%s) is %j', (name, container, expected) => {
  expect(downloadName(name, container)).toBe(expected);
});

it('the file name of a download never leaves the folder and fits every file system, whatever the library reports', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.option(fc.string({ maxLength: 12 })),
      (text, container) => {
        const name = downloadName(text, container);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(202);
        expect(name).not.toMatch(/[/\\]|^\.|^$/);
        expect(name.includes('\u0000')).toBe(false);
      },
    ),
  );
});

it('the file name of a second file gets a number before its extension', () => {
  expect([numberedName('a.b.mp4', 1), numberedName('a.b.mp4', 2), numberedName('a', 3)]).toEqual([
    'a.b.mp4',
    'a.b (2).mp4',
    'a (3)',
  ]);
});
