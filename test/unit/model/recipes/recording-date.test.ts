import { describe, expect, it } from 'vitest';
import { compileRecipe, needsContents } from '../../../../shared/model/recipes/recipe.ts';
import { type RecordingDate, recordingDate } from '../../../../shared/model/recipes/recording-date.ts';

const date = (source: RecordingDate['source'], at: string, zone: string | null = null): RecordingDate => ({
  source,
  at,
  zone,
});
const CHANGED = '2026-11-20T08:00:00';

describe('the date of a recording', () => {
  it('is a date with a zone before one without, in the order of the sources', () => {
    const camera = date('exif', '2026-11-04T23:30:00');
    const utc = date('mp4', '2026-11-05T00:30:00', '+02:00');
    const apple = date('apple', '2026-11-04T22:30:00', '+01:00');
    expect(recordingDate([camera, utc, apple], 'a', CHANGED)).toBe(apple);
    expect(recordingDate([camera, utc], 'a', CHANGED)).toBe(utc);
    expect(recordingDate([date('tag', '2026-01-01'), date('wav', '2026-11-04'), camera], '', null)).toBe(camera);
  });

  it('is that in the name, otherwise that of the last change, when the contents have none', () => {
    expect(recordingDate([], '20261104_Optics', CHANGED)).toEqual(date('name', '2026-11-04'));
    expect(recordingDate([], 'Optics', CHANGED)).toEqual(date('changed', CHANGED));
    expect(recordingDate([], 'Optics', null)).toBeNull();
  });

  it.each(['0000-00-00T00:00:00', '1904-01-01T00:00:00', '1970-01-01T01:00:00', '2201-01-01'])(
    'is not %s: the clock was never set',
    (at) => {
      expect(recordingDate([date('mp4', at, '+01:00')], '2026-11-04', CHANGED)).toEqual(date('name', '2026-11-04'));
      expect(recordingDate([], 'Optics', at)).toBeNull();
    },
  );
});

it('the contents of files are read only for tokens that the name does not give', () => {
  const needs = (pattern: string, title: string) => {
    const compiled = compileRecipe({ pattern, hasUnderscores: true, fields: { title } });
    if ('problems' in compiled) throw new Error(compiled.problems[0]?.problem);
    return needsContents(compiled);
  };
  expect(needs('{course}_{title}', '{course}: {title} {folder} {n} {now}')).toBe(false);
  expect(needs('', '{recorded:DD.MM.YYYY} {name}')).toBe(true);
  expect(needs('', '{tag.artist}')).toBe(true);
  expect(needs('', '{changed:YYYY-MM-DD HH}')).toBe(true);
  expect(needs('{recorded}_{title}', '{recorded}')).toBe(false);
});
