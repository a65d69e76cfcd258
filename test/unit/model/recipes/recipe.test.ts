import { describe, expect, it } from 'vitest';
import {
  applyRecipe,
  compileRecipe,
  type Recipe,
  type RecipeFacts,
  recipeTagsOf,
} from '../../../../shared/model/recipes/recipe.ts';

const FACTS: RecipeFacts = {
  stem: '20261104_Optics_Wave_optics',
  extension: 'wav',
  folders: ['Recordings', 'Physics', 'Week 2'],
  number: 3,
  changed: '2026-11-05T08:00:00',
  recorded: { at: '2026-11-04T09:30:15', zone: '+01:00', source: 'apple' },
  mediaTags: { artist: 'Ada Lovelace', album: 'Optics' },
  current: { title: 'Old', byline: '', description: 'Known', tags: '' },
};

function apply(recipe: Partial<Recipe>, facts: Partial<RecipeFacts> = {}) {
  const compiled = compileRecipe({ pattern: '', fields: {}, hasUnderscores: true, ...recipe });
  if ('problems' in compiled) throw new Error(JSON.stringify(compiled.problems));
  return applyRecipe(compiled, { ...FACTS, ...facts });
}

const PATTERN = '{date:YYYYMMDD}_{course}_{title}';

describe('a recipe', () => {
  it('parses the name and builds fields from the values', () => {
    const { read, fields } = apply({
      pattern: PATTERN,
      fields: {
        title: '{course}: {title}',
        byline: '{tag.artist}',
        description: '<p>{date:DD.MM.YYYY}</p>',
        tags: '{course}, {folder}',
      },
    });
    expect(read).toEqual({ date: '2026-11-04', course: 'Optics', title: 'Wave optics' });
    expect(fields).toEqual({
      title: 'Optics: Wave optics',
      byline: 'Ada Lovelace',
      description: '<p>04.11.2026</p>',
      tags: 'Optics, Week 2',
    });
  });

  it('keeps underscores when they do not count as blanks', () => {
    expect(apply({ pattern: PATTERN, hasUnderscores: false }).read?.title).toBe('Wave_optics');
  });

  it.each([
    ['{name}', '20261104_Optics_Wave_optics'],
    ['{file}', '20261104_Optics_Wave_optics.wav'],
    ['{ext}', 'wav'],
    ['{folder3}/{folder2}/{folder}', 'Recordings/Physics/Week 2'],
    ['{n} {nn} {nnn}', '3 03 003'],
    ['{changed}', '2026-11-05'],
    ['{changed:HH-mm}', null],
    ['{recorded}', '2026-11-04'],
    ['{recorded:YYYY-MM-DD HH.mm}', '2026-11-04 09.30'],
    ['{now} (live)', 'Old (live)'],
    ['{{{tag.album}}}', '{Optics}'],
  ])('%s builds %s', (title, expected) => {
    if (expected === null)
      expect(compileRecipe({ pattern: '', fields: { title }, hasUnderscores: false })).toHaveProperty('problems');
    else expect(apply({ fields: { title } }).fields.title).toBe(expected);
  });

  it('does not change a field when a value is missing, and names the value', () => {
    const { fields, missing } = apply(
      { fields: { title: '{tag.title} {recorded}', byline: '{tag.artist}' } },
      { recorded: null },
    );
    expect(fields).toEqual({ byline: 'Ada Lovelace' });
    expect(missing).toEqual({ title: ['tag.title', 'recorded'] });
  });

  it('does not change fields that need the name when the name does not match', () => {
    const { read, fields, missing } = apply(
      { pattern: PATTERN, fields: { title: '{course}', byline: '{folder}' } },
      { stem: 'x' },
    );
    expect(read).toBeNull();
    expect(fields).toEqual({ byline: 'Week 2' });
    expect(missing).toEqual({ title: ['course'] });
  });

  it('uses an empty text for {now} when the field is empty', () => {
    expect(apply({ fields: { byline: '{now}{tag.artist}' } }).fields.byline).toBe('Ada Lovelace');
  });

  it('writes values into a description as text, and keeps its present HTML', () => {
    const current = { ...FACTS.current, description: '<p>Known</p>' };
    const facts = { mediaTags: { artist: 'A & <b>B</b>' }, current };
    expect(apply({ fields: { description: '{now}<p>{tag.artist}</p>' } }, facts).fields.description).toBe(
      '<p>Known</p><p>A &amp; &lt;b&gt;B&lt;/b&gt;</p>',
    );
  });

  it('does not fill a field from an empty template', () => {
    expect(apply({ fields: { title: '' } }).fields).toEqual({});
  });

  it('reports every problem with its position', () => {
    const compiled = compileRecipe({
      pattern: '{title}{n}',
      fields: { title: '{what}', byline: '{' },
      hasUnderscores: false,
    });
    expect('problems' in compiled ? compiled.problems.map(({ place }) => place) : []).toEqual([
      'pattern',
      'title',
      'byline',
    ]);
  });
});

it('tags are split at commas; blank and repeated tags are omitted', () => {
  expect(recipeTagsOf(' Optics, ,optics,Wave ,')).toEqual(['Optics', 'Wave']);
});
