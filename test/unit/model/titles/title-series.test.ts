import { describe, expect, it } from 'vitest';
import {
  continuedTitle,
  continuesAlone,
  SeriesFinder,
  type TitleSeries,
} from '../../../../shared/model/titles/title-series.ts';

function seriesOf(...titles: string[]): TitleSeries | null {
  const finder = new SeriesFinder();
  for (const title of titles) finder.add(title);
  return finder.result();
}

function next(titles: readonly string[], ...subjects: string[]): string[] {
  const series = seriesOf(...titles);
  if (series === null) throw new Error('There is no series.');
  return subjects.map((subject, ahead) => continuedTitle(series, ahead, subject));
}

describe('the series of a collection', () => {
  it('continues after its highest number, whatever the order of its titles', () => {
    expect(next(['Folge 12', 'Folge 9', 'Folge 11'], 'wind', 'rain')).toEqual(['Folge 13', 'Folge 14']);
  });

  it('keeps the digits and the signs of its last title, and the subject of the new file', () => {
    expect(next(['Ep. 008: Wind', 'Ep. 009: Rain'], 'Snow', ' Ice ')).toEqual(['Ep. 010: Snow', 'Ep. 011: Ice']);
    expect(next(['01 Wind', '02 Rain'], 'Snow')).toEqual(['03 Snow']);
    expect(next(['Lecture 98 – A', 'Lecture 99 – B'], 'C', 'D')).toEqual(['Lecture 100 – C', 'Lecture 101 – D']);
  });

  it('replaces a number of its own that a new title has', () => {
    expect(next(['Folge 11: Wind', 'Folge 12: Rain'], 'folge 1: Snow', 'Folge 2')).toEqual([
      'Folge 13: Snow',
      'Folge 14',
    ]);
  });

  it('is the one with the most numbers', () => {
    const titles = ['Trailer 1', 'Trailer 2', 'Folge 7', 'Folge 8', 'Folge 9', 'Bonus'];
    expect(seriesOf(...titles)).toMatchObject({ title: 'Folge 9', number: 9, titles: 3 });
  });

  it.for([
    [['Wind', 'Rain']],
    [['Folge 12']],
    [['Folge 12', 'Folge 12 (new)']],
    [['Room 101', 'Room 305', 'Room 512']],
    [['Summer 2024', 'Summer 2025', 'Summer 2026']],
    [['Talk 2026-03-01', 'Talk 2026-03-02']],
    [['Recording 10:30', 'Recording 10:45']],
    [['mp3', 'mp4']],
    [['Call 1234567', 'Call 1234568']],
  ])('is not seen in %j', ([titles = []]) => {
    expect(seriesOf(...titles)).toBeNull();
  });

  it('is continued by a title with a higher number, and not by an equal or lower one or another text', () => {
    const series = seriesOf('Folge 11', 'Folge 12');
    if (series === null) throw new Error('There is no series.');
    const titles = ['FOLGE 13', 'Folge 12', 'Folge 3', 'Teil 13', 'wind'];
    expect(titles.map((title) => continuesAlone(series, title))).toEqual([true, false, false, false, false]);
  });
});
