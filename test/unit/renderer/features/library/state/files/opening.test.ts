import { describe, expect, it } from 'vitest';
import { openingOf } from '../../../../../../../renderer/features/library/state/files/opening.ts';
import { type MediaFile, mediaFileSchema } from '../../../../../../../shared/api/files.ts';

const file = (fields: Partial<Record<keyof MediaFile, unknown>>): MediaFile =>
  mediaFileSchema.parse({ id: '1', source: 'upload', type: 'video', status: 'complete', links: {}, ...fields });
const encoding = (status: string) => ({
  id: '2',
  source: 'encoding',
  type: 'video',
  container: 'mp4',
  links: {},
  encodings: null,
  status,
});

describe('an item', () => {
  it.each([
    ['a film', [{ container: 'mp4' }], 'video'],
    ['a film beside a file that is processed', [{ status: 'processing' }, { container: 'mp4' }], 'video'],
    ['a picture', [{ type: 'image', container: 'png' }], 'image'],
    ['a PDF', [{ type: 'doc', container: 'pdf' }], 'document'],
    ['content of another website', [{ source: 'embed' }], 'web'],
    ['captions beside a film', [{ type: 'captions' }, { container: 'mp4' }], 'video'],
  ])('opens %s', (_what, files, showing) => {
    expect(openingOf({ files: files.map(file) })).toMatchObject({ kind: 'file', playable: { showing } });
  });

  it.each([
    ['has no file', [], 'empty'],
    ['has captions only', [{ type: 'captions' }], 'empty'],
    ['is being processed', [{ status: 'processing' }], 'processing'],
    ['has an encoding that is being made', [{ container: 'mkv', encodings: [encoding('processing')] }], 'processing'],
    ['is being sent', [{ status: 'uploading' }], 'sending'],
    ['is processed beside one that failed', [{ status: 'error' }, { status: 'processing' }], 'processing'],
    ['could not be processed', [{ status: 'error' }], 'failed'],
    ['never arrived', [{ status: 'aborted' }], 'aborted'],
    ['has a format that no player shows', [{ container: 'mkv' }], 'format'],
    ['is a text document', [{ type: 'doc', container: 'docx' }], 'format'],
  ])('does not open and says why when it %s', (_what, files, why) => {
    expect(openingOf({ files: files.map(file) })).toEqual({ kind: 'none', why });
  });

  it('does not open while the library can’t be reached, whether its files are known or not', () => {
    const none = { kind: 'none', why: 'offline' };
    expect(openingOf({ files: [file({ container: 'mp4' })], isStored: true })).toEqual(none);
    expect(openingOf({ files: [], isStored: true, areFilesUnknown: true })).toEqual(none);
    expect(openingOf({ files: [], isStored: true })).toEqual({ kind: 'none', why: 'empty' });
  });
});
