import { describe, expect, it } from 'vitest';
import { folderCells } from '../../../electron/cli/watch/watch-text.ts';
import { watchedFolder } from '../../helpers/data/watched-folders.ts';

describe('a watched folder in a table', () => {
  it('counts files that existed before, or were uploaded before, as skipped, as the window does', () => {
    const counts = { settling: 1, waiting: 2, queued: 3, done: 412, incomplete: 1, refused: 1 };
    expect(folderCells(watchedFolder({ counts, unsent: 400 }))).toEqual([
      'f1',
      'watching',
      '3 settling, 3 queued, 12 uploaded, 1 incomplete, 401 skipped',
      'Optics',
      '/rec/Lectures',
    ]);
  });
});
