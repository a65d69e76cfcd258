import { describe, expect, it } from 'vitest';
import { ignoredFolder, ignoredPart } from '../../../shared/model/ignored-names.ts';

describe('names that are never uploaded', () => {
  it.each([
    ['partial', 'a.mp4.part'],
    ['partial', 'A.MP4.CRDOWNLOAD'],
    ['partial', 'a.mp4.!ut'],
    ['partial', 'a.mp4.filepart'],
    ['partial', '.a.mp4.Xy12Zw'],
    ['partial', '.syncthing.a.mp4.tmp'],
    ['partial', '~syncthing~a.mp4.tmp'],
    ['temporary', 'a.tmp'],
    ['temporary', '~$slides.pptx'],
    ['temporary', '.~lock.slides.odp#'],
    ['temporary', 'a.mp4~'],
    ['temporary', '.nfs000000001'],
    ['system', 'Thumbs.db'],
    ['system', 'desktop.ini'],
    ['system', '.DS_Store'],
    ['system', '._talk.mp4'],
    ['hidden', '.config'],
  ] as const)('are %s names such as %s, in any folder', (reason, name) => {
    expect(ignoredPart(name)).toEqual({ reason, name });
    expect(ignoredPart(`Physics/Optics/${name}`)).toEqual({ reason, name });
  });

  it.each([
    ['system-folder', '.Trashes'],
    ['system-folder', '.Trash-1000'],
    ['system-folder', '$RECYCLE.BIN'],
    ['system-folder', '@eaDir'],
    ['system-folder', '#recycle'],
    ['system-folder', 'System Volume Information'],
    ['system-folder', 'lost+found'],
    ['work-folder', '_UNPACK_talk'],
    ['work-folder', '.stversions'],
    ['work-folder', '.rsync-partial'],
    ['work-folder', '.~tmp~'],
    ['work-folder', 'talk.download'],
    ['hidden', '.git'],
    ['package', 'Mediadesk.app'],
    ['package', 'Wedding.fcpbundle'],
    ['package', 'Talk.KEY'],
  ] as const)('are %s names: everything in %s, at any depth', (reason, name) => {
    expect(ignoredFolder(name)).toBe(reason);
    expect(ignoredPart(`${name}/talk.mp4`)).toEqual({ reason, name });
    expect(ignoredPart(`Physics/${name}/deep/talk.mp4`)).toEqual({ reason, name });
  });

  it.each([
    'talk.mp4',
    'part.mp4',
    'tmp/talk.mp4',
    'Thumbs.db.mp4',
    'my.part.mp4',
    'unpack/talk.mp4',
    'a.b.c/talk',
    'download/talk.mp4',
    'Trash/talk.mp4',
    'talk.v1',
    'a~b.mp4',
    'lost+found',
    'talk.key',
    'app/talk.mp4',
    'my.apps/talk.mp4',
    'key/talk.mp4',
  ])('do not include %s', (path) => {
    expect(ignoredPart(path)).toBeNull();
  });
});
