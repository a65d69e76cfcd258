import { describe, expect, it } from 'vitest';
import { previewFolder } from '../../../../shared/model/watch/preview-folder.ts';
import { SAMPLE_NOW, sampleFile, sampleRules } from '../../../helpers/data/watch-samples.ts';

describe('the preview of a folder', () => {
  it('lists every file in its order with its decision, and counts files and bytes', () => {
    const rules = sampleRules({ conditions: { include: ['*.mp4'] } });
    const files = [
      sampleFile('a.mp4', { sizeBytes: 10 }),
      sampleFile('b.wav', { sizeBytes: 5 }),
      sampleFile('c.mp4', { sizeBytes: 20 }),
      sampleFile('d.mp4', { sizeBytes: 0 }),
    ];
    const preview = previewFolder(rules, files, SAMPLE_NOW);
    expect(preview.files.map(({ path, outcome }) => [path, outcome.kind])).toEqual([
      ['a.mp4', 'upload'],
      ['b.wav', 'skip'],
      ['c.mp4', 'upload'],
      ['d.mp4', 'wait'],
    ]);
    expect(preview.totals).toEqual({
      upload: { files: 2, bytes: 30 },
      wait: { files: 1, bytes: 0 },
      skip: { files: 1, bytes: 5 },
    });
  });
});
