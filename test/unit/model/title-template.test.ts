import { describe, expect, it } from 'vitest';
import { ITEM_FIELD } from '../../../shared/item/fields.ts';
import {
  composeTitle,
  needsTitleContents,
  splitFileName,
  type TitleFacts,
  titleTemplateProblem,
  titleUsesRecordingDate,
} from '../../../shared/model/title-template.ts';

const facts: TitleFacts = {
  fileName: 'Lecture 07.final.mp4',
  folderName: 'Physics',
  number: 7,
  date: '2026-11-21',
  contents: null,
};
const renderTitle = (template: string, of: TitleFacts) => composeTitle(template, of).title;

describe('a title template', () => {
  it.each([
    ['{name}', 'Lecture 07.final'],
    ['{file}', 'Lecture 07.final.mp4'],
    ['{folder}: {name}', 'Physics: Lecture 07.final'],
    ['{n}. {name}', '7. Lecture 07.final'],
    ['{nnn}', '007'],
    ['{date} ({ext})', '2026-11-21 (mp4)'],
    ['{{draft}} {name}', '{draft} Lecture 07.final'],
    ['{{{name}}}', '{Lecture 07.final}'],
  ])('turns %s into the title %s', (template, title) => {
    expect(renderTitle(template, facts)).toBe(title);
  });

  it.each(['{nme}', '{Name}', '{}', '{ name }', 'a {__proto__} b', '{name', 'name}', '{{name}', '{na{n}me}'])(
    'is rejected with the list of known tokens: %s',
    (template) => {
      expect(titleTemplateProblem(template)).toContain('{name}, {file}, {ext}, {folder}, {n}, {nn}, {nnn}, {date}');
    },
  );

  it.each(['', '{name}', '{nnnnn}', '{{', '}}', '{{name}}', '{{{name}}}'])('is accepted: %s', (template) => {
    expect(titleTemplateProblem(template)).toBeNull();
  });

  it('is refused when it is longer than the queue accepts', () => {
    expect(titleTemplateProblem('x'.repeat(501))).toBe('A title template has at most 500 characters.');
    expect(titleTemplateProblem('x'.repeat(500))).toBeNull();
  });

  it('uses the file name when the title would be empty', () => {
    expect(renderTitle('   ', facts)).toBe('Lecture 07.final');
    expect(renderTitle('{ext}', { ...facts, fileName: 'noext' })).toBe('noext');
  });

  it('normalizes letters, so that the same name from two file systems gives one title', () => {
    expect(renderTitle('{name}', { ...facts, fileName: 'Mu\u0308ller.wav' })).toBe('M\u00fcller');
  });

  it('removes line breaks, control characters and marks of text direction', () => {
    expect(renderTitle('{name}', { ...facts, fileName: 'a\r\nb\u0000c\u202ed.wav' })).toBe('a b c d');
  });

  it('truncates between characters, never inside one', () => {
    const title = renderTitle('{name}', { ...facts, fileName: `${'🎙'.repeat(600)}.wav` });
    expect(Array.from(title)).toHaveLength(ITEM_FIELD.title.most / 2);
    expect(title.endsWith('🎙')).toBe(true);
  });

  it('separates a name from its extension', () => {
    expect(splitFileName('.hidden')).toEqual({ stem: '.hidden', extension: '' });
    expect(splitFileName('a.tar.gz')).toEqual({ stem: 'a.tar', extension: 'gz' });
  });
});

describe('a title template with values inside the file', () => {
  const contents = {
    recorded: { at: '2026-11-04T23:30:15' },
    mediaTags: { artist: 'Ada Lovelace', title: 'Wave optics', comment: '\u0007 ' },
  };
  const of = (template: string, change: Partial<TitleFacts> = {}) =>
    composeTitle(template, { ...facts, contents, ...change });

  it.each([
    ['{recorded}', '2026-11-04'],
    ['{recorded:DD.MM.YYYY HH-mm} {name}', '04.11.2026 23-30 Lecture 07.final'],
    ['{nn} {tag.artist}: {tag.title}', '07 Ada Lovelace: Wave optics'],
    ['{{{tag.artist}}}', '{Ada Lovelace}'],
  ])('turns %s into the title %s', (template, title) => {
    expect(titleTemplateProblem(template)).toBeNull();
    expect(needsTitleContents(template)).toBe(true);
    expect(of(template)).toEqual({ title, missing: [] });
  });

  it('uses the file name and names the tokens when a value is missing', () => {
    const missing = ['tag.album', 'tag.comment'];
    expect(of('{tag.album} {nn} {tag.comment} {tag.artist}')).toEqual({ title: 'Lecture 07.final', missing });
    expect(of('{recorded}', { contents: null })).toEqual({ title: 'Lecture 07.final', missing: ['recorded'] });
    const day = { ...contents, recorded: { at: '2026-11-04' } };
    expect(of('{recorded:HH-mm}', { contents: day })).toMatchObject({ missing: ['recorded:HH-mm'] });
    expect(of('{tag.title}', { contents: { ...contents, mediaTags: {} }, fileName: '.mp4' }).title).toBe('.mp4');
  });

  it('never interprets values of tags as tokens or as properties of objects', () => {
    const tags = { title: '{name} {{x}} $& $1' };
    expect(of('{tag.title}', { contents: { recorded: null, mediaTags: tags } }).title).toBe('{name} {{x}} $& $1');
    expect(titleTemplateProblem('{tag.constructor}')).toContain('isn’t a tag');
  });

  it('is rejected with the tags that can be read, or the parts of a date format, when a token is wrong', () => {
    expect(titleTemplateProblem('{tag.artst}')).toMatch(
      /“\{tag\.artst\}” isn’t a tag that Mediadesk reads.*\{tag\.artist\}/,
    );
    expect(titleTemplateProblem('{tag.}')).toContain('isn’t a tag');
    expect(titleTemplateProblem('{recorded:D.M.Y}')).toContain('Use YYYY, MM, DD');
    expect(titleTemplateProblem('{tag.year:YYYY}')).toContain('can’t have a format');
    expect(titleTemplateProblem('{recordd}')).toContain('{recorded}');
  });

  it('needs no values from inside the file when its tokens are of other kinds', () => {
    expect(needsTitleContents('{name} {{recorded}} {{tag.artist}} {date}')).toBe(false);
    expect(titleUsesRecordingDate('{tag.date}')).toBe(false);
    expect(titleUsesRecordingDate('{n} {recorded:YYYY-MM-DD}')).toBe(true);
  });
});
