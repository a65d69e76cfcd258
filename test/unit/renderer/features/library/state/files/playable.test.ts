import { describe, expect, it } from 'vitest';
import {
  bestOf,
  playableCaptions,
  showingOf,
  versionsOf,
} from '../../../../../../../renderer/features/library/state/files/playable.ts';
import { type MediaFile, mediaFileSchema } from '../../../../../../../shared/api/files.ts';

const file = (fields: Partial<Record<keyof MediaFile, unknown>>): MediaFile =>
  mediaFileSchema.parse({ id: '1', source: 'upload', type: 'video', status: 'complete', links: {}, ...fields });

describe('the display of a file', () => {
  it.each([
    [{ type: 'video', container: 'mp4' }, 'video'],
    [{ type: 'video', container: null }, 'video'],
    [{ type: 'video', container: 'MKV' }, null],
    [{ type: 'video', status: 'processing' }, null],
    [{ type: 'audio', container: 'wav' }, 'audio'],
    [{ type: 'image', container: 'tiff' }, null],
    [{ type: 'image', container: 'svg' }, null],
    [{ type: 'doc', container: 'pdf' }, 'document'],
    [{ type: 'doc', container: 'docx' }, null],
    [{ type: 'blob' }, null],
    [{ type: 'captions' }, null],
    [{ type: 'video', source: 'embed' }, 'web'],
  ])('with the properties %j is %s', (fields, showing) => expect(showingOf(file(fields))).toBe(showing));

  it('prefers a format that certainly plays, in a resolution for a window', () => {
    const encodings = [
      {
        id: '2',
        source: 'encoding',
        type: 'video',
        status: 'complete',
        container: 'mp4',
        height: 2160,
        links: {},
        encodings: null,
      },
      {
        id: '3',
        source: 'encoding',
        type: 'video',
        status: 'complete',
        container: 'mp4',
        height: 1080,
        links: {},
        encodings: null,
      },
      {
        id: '4',
        source: 'encoding',
        type: 'video',
        status: 'complete',
        container: 'mp4',
        height: 360,
        links: {},
        encodings: null,
      },
      {
        id: '5',
        source: 'encoding',
        type: 'video',
        status: 'error',
        container: 'mp4',
        height: 720,
        links: {},
        encodings: null,
      },
    ];
    const original = file({ container: 'avi', encodings });
    expect(versionsOf(original).map(({ file: { id } }) => id)).toEqual(['3', '4', '2']);
    expect(bestOf([file({ type: 'captions' }), original])?.file.id).toBe('3');
    expect(bestOf([])).toBeNull();
  });

  it('uses the WebVTT form of captions when the library has one', () => {
    const vtt = {
      id: '8',
      source: 'encoding',
      type: 'captions',
      status: 'complete',
      container: 'vtt',
      links: {},
      encodings: null,
    };
    const converted = file({ id: '7', type: 'captions', container: 'srt', encodings: [vtt] });
    const raw = file({ id: '9', type: 'captions', container: 'srt' });
    expect(playableCaptions([file({}), converted, raw]).map(({ id }) => id)).toEqual(['8', '9']);
  });
});
