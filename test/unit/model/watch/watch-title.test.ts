import { describe, expect, it } from 'vitest';
import { titleTemplateProblem } from '../../../../shared/model/title-template.ts';
import {
  cleanedName,
  watchTitle as composeWatchTitle,
  titleDay,
  WATCH_TITLE_TOKENS,
} from '../../../../shared/model/watch/watch-title.ts';
import { sampleFile } from '../../../helpers/data/watch-samples.ts';

const watchTitle = (...given: Parameters<typeof composeWatchTitle>) => composeWatchTitle(...given).title;

describe('a title in a watched folder', () => {
  const file = sampleFile('Physics/Optics/2026-03-04_1015_Wave_optics.final.mp4');

  it.each([
    ['{name}', '2026-03-04_1015_Wave_optics.final'],
    ['{clean}', 'Wave optics final'],
    ['{day} {clean}', '2026-03-04 Wave optics final'],
    ['{date}', '2026-11-20'],
    ['{top}: {clean}', 'Physics: Wave optics final'],
    ['{folders}', 'Physics / Optics'],
    ['{folder}', 'Optics'],
    ['{nnn} {ext}', '007 mp4'],
    ['{{{file}}}', '{2026-03-04_1015_Wave_optics.final.mp4}'],
  ])('is made from the template %s: %s', (template, title) => {
    expect(titleTemplateProblem(template, WATCH_TITLE_TOKENS)).toBeNull();
    expect(watchTitle(template, file, 'Station')).toBe(title);
  });

  it('uses the name of the watched folder for a file that is directly in it', () => {
    expect(watchTitle('{folder}, {top}, {folders}.', sampleFile('a.mp4'), 'Station')).toBe('Station, Station, .');
  });

  it('is the file name when it would be empty', () => {
    expect(watchTitle('{folders}', sampleFile('a.mp4'), 'Station')).toBe('a');
    expect(watchTitle('{clean}', sampleFile('2026-01-01.mp4'), 'Station')).toBe('2026-01-01');
  });

  it('has a replacement character for each byte that is not part of valid text', () => {
    expect(watchTitle('{name}', sampleFile('\u{10fde9}t.mp4'), 'Station')).toBe('\ufffdt');
  });

  it.each(['{parent}', '{toString}', '{constructor}'])('can’t contain the unknown token %s', (template) => {
    expect(titleTemplateProblem(template, WATCH_TITLE_TOKENS)).toContain('{clean}, {day}, {top}, {folders}');
  });
});

describe('the day of a recording', () => {
  it.each([
    ['2026-03-04 talk', '2026-03-04'],
    ['talk_2026_03_04', '2026-03-04'],
    ['talk.2026.03.04', '2026-03-04'],
    ['20260304T101500', '2026-03-04'],
    ['04.03.2026 talk', '2026-03-04'],
    ['2024-02-29', '2024-02-29'],
  ])('is read from the name %s', (stem, day) => {
    expect(titleDay(sampleFile(`${stem}.mp4`))).toEqual({ day, from: 'name' });
  });

  it.each(['2026-13-04', '2025-02-29', '20260230', '120260304', '202603041', '03-04-2026', '18991231', 'v2026-3-4'])(
    'is not read from %s',
    (stem) => {
      expect(titleDay(sampleFile(`${stem}.mp4`)).from).toBe('mtime');
    },
  );

  it.each([0, -2_082_844_800_000, Date.UTC(1980, 0, 1), Date.UTC(2300, 0, 1)])(
    'is the day on which the file was found when its mtime %d is no time of a recording',
    (mtimeMs) => {
      expect(titleDay(sampleFile('talk.mp4', { mtimeMs }))).toEqual({ day: '2026-11-20', from: 'first-seen' });
    },
  );
});

describe('cleaned names', () => {
  it.each([
    ['2026-11-22_10-00_Wave_optics.mp4', 'Wave optics'],
    ['Wave_optics_2026-11-22.mp4', 'Wave optics'],
    ['Wave optics - 20261122 101500.mp4', 'Wave optics'],
    ['2026-11-22 Part 3.mp4', 'Part 3'],
    ['2026-11-22 3 body problem.mp4', '3 body problem'],
    ['2026-11-22 1080p talk.mp4', '1080p talk'],
    ['intro.to.optics.mp4', 'intro to optics'],
    ['version 1.2.mp4', 'version 1.2'],
    ['a - b.mp4', 'a - b'],
    ['2026-11-22 2024 in review.mp4', '2024 in review'],
    ['20261122T1015 talk.mp4', 'talk'],
    ['2026-11-22 10.15.30 talk.mp4', 'talk'],
    ['2026-11-22 3. Talk.mp4', '3. Talk'],
    ['__.mp4', '__'],
  ])('%s becomes %s', (name, words) => {
    expect(cleanedName(name)).toBe(words);
  });
});
