// “Fill from a pattern” in the add sheet: its preview, the reasons why it fills nothing, and its effect on the table.
import { describe, expect, it } from 'vitest';
import { choicesOf, fileTable } from '../../../../../../renderer/features/uploads/state/add-files.ts';
import type { KnownContents } from '../../../../../../renderer/features/uploads/state/file-contents.ts';
import {
  applyFill,
  EMPTY_FILL,
  type FillDraft,
  fillRecipe,
  impliedTemplates,
  planFill,
} from '../../../../../../renderer/features/uploads/state/fill-pattern.ts';
import type { MediaFacts } from '../../../../../../shared/contract/media-facts.ts';
import type { ListedFile } from '../../../../../../shared/contract/upload-files.ts';
import { setCell, undo } from '../../../../../../shared/model/grid/grid-changes.ts';
import type { GridModel } from '../../../../../../shared/model/grid/grid-model.ts';
import { compileRecipe } from '../../../../../../shared/model/recipes/recipe.ts';
import { listedFile } from '../../../../../helpers/data/listed-files.ts';

const FILES = [
  listedFile('/in/week 1/20261104_Optics_Waves_and_rays.wav'),
  listedFile('/in/week 1/notes.wav'),
  listedFile('/in/week 2/20261105_Optics_Mirrors.wav'),
];
const TABLE = fileTable(null, FILES, { titleTemplate: '{name}', tags: ['physics'] });
const at = (grid: GridModel, key: string) => grid.columns.findIndex((column) => column.key === key);
const cells = (grid: GridModel, key: string) => grid.rows.map((row) => row.cells[at(grid, key)]);

const draft = (change: Omit<Partial<FillDraft>, 'templates'>, templates: Partial<FillDraft['templates']> = {}) => ({
  ...EMPTY_FILL,
  ...change,
  templates: { ...EMPTY_FILL.templates, ...templates },
});

function planOf(
  form: FillDraft,
  table = TABLE,
  files: readonly ListedFile[] = FILES,
  contents: KnownContents = new Map(),
) {
  const compiled = compileRecipe(fillRecipe(form));
  if ('problems' in compiled) throw new Error(compiled.problems[0]?.problem);
  return planFill(table, files, compiled, form.rows, contents);
}

const facts = (path: string, change: Partial<MediaFacts> = {}): [string, MediaFacts] => [
  path,
  { path, changed: '2026-11-19T08:00:00', recorded: null, mediaTags: {}, problem: null, ...change },
];

describe('parsing fields from names', () => {
  const form = draft({ pattern: '{date:YYYYMMDD}_{course}_{title}' }, { tags: '{now}, {course}' });

  it('fills the field that a token names, and builds other fields from their templates', () => {
    expect(impliedTemplates(form)).toEqual({ title: '{title}' });
    const table = applyFill(TABLE, planOf(form));
    expect(cells(table, 'title')).toEqual(['Waves and rays', 'notes', 'Mirrors']);
    expect(cells(table, 'tags')).toEqual(['physics|Optics', 'physics', 'physics|Optics']);
    expect(choicesOf(table, FILES, true)[0]).toMatchObject({
      fields: { title: 'Waves and rays', tags: ['physics', 'Optics'] },
    });
  });

  it('reports why a name does not match, and keeps its row unchanged', () => {
    const plan = planOf(form);
    expect(plan).toMatchObject({ changed: 2, problems: 1 });
    expect(plan.rows[1]).toMatchObject({ cells: {}, isChanged: false, problem: 'The name doesn’t match the pattern.' });
  });

  it('is undone as one step, back to the typed values', () => {
    const typed = setCell(TABLE, { row: 0, column: at(TABLE, 'title') }, 'Typed');
    const table = applyFill(typed, planOf(form, typed));
    expect(table.undos).toHaveLength(2);
    const back = undo(table);
    expect(cells(back, 'title')).toEqual(['Typed', 'notes', '20261105_Optics_Mirrors']);
    expect(cells(back, 'tags')).toEqual(['physics', 'physics', 'physics']);
  });

  it('prefers a template to the token of the same name', () => {
    const built = draft({ pattern: '{*}_{course}_{title}' }, { title: '{course}: {title}' });
    expect(impliedTemplates(built)).toEqual({});
    expect(planOf(built).rows[0]?.cells.title).toBe('Optics: Waves and rays');
  });

  it('ignores the pattern when fields are built from tokens', () => {
    expect(fillRecipe({ ...form, direction: 'build' })).toMatchObject({
      pattern: '',
      fields: { tags: expect.any(String) },
    });
    expect(fillRecipe({ ...form, direction: 'build' }).fields).not.toHaveProperty('title');
  });
});

describe('building fields from tokens', () => {
  const build = (templates: Partial<FillDraft['templates']>, change: Partial<FillDraft> = {}) =>
    draft({ direction: 'build', ...change }, templates);

  it('numbers only the files that are uploaded, not excluded or empty ones', () => {
    const empty = { code: 'file.empty', message: 'The file is empty.', nextStep: null, details: null };
    const files = [...FILES, listedFile('/in/week 2/empty.wav', { problem: empty }), listedFile('/in/week 2/z.wav')];
    let table = fileTable(null, files, { titleTemplate: '{name}', tags: [] });
    table = setCell(table, { row: 1, column: at(table, 'add') }, 'no');
    const plan = planOf(build({ title: '{folder} {nn}' }), table, files);
    expect(plan.rows.map(({ row, cells: { title } }) => [row, title])).toEqual([
      [0, 'week 1 01'],
      [2, 'week 2 02'],
      [4, 'week 2 03'],
    ]);
  });

  it('fills selected rows only, with their numbers among all files', () => {
    const place = { row: 2, column: 0 };
    const table = { ...TABLE, selection: { anchor: place, extent: place, focus: place } };
    const filled = applyFill(table, planOf(build({ byline: 'Part {n}' }, { rows: 'selected' }), table));
    expect(cells(filled, 'byline')).toEqual(['', '', 'Part 3']);
  });

  it('leaves a field unchanged when a token has no value, names the token, and fills the other fields', () => {
    const files = [listedFile('/in/plain'), listedFile('/in/b.wav', { date: null })];
    const table = fileTable(null, files, { titleTemplate: '{name}', tags: [] });
    const contents = new Map([facts('/in/plain'), facts('/in/b.wav', { changed: null })]);
    const plan = planOf(build({ title: '{name} {ext}', byline: '{changed:DD.MM.YYYY}' }), table, files, contents);
    expect(plan.rows.map(({ problem }) => problem)).toEqual([
      'Title not filled: no value for {ext}.',
      'Byline not filled: no value for {changed}.',
    ]);
    expect(plan.rows.map(({ cells: filled }) => filled)).toEqual([{ byline: '19.11.2026' }, { title: 'b wav' }]);
  });

  it('leaves a field unchanged when its new value is too long, and reports the limit', () => {
    const plan = planOf(build({ title: `{name}${'x'.repeat(1000)}` }));
    expect(plan.changed).toBe(0);
    expect(plan.rows[0]?.problem).toBe('Title not filled: A title has at most 1,000 characters.');
  });

  it('escapes names in descriptions, also when they look like formatting', () => {
    const files = [listedFile('/in/a < b & c.wav'), listedFile('/in/a <b> & c.wav')];
    const table = fileTable(null, files, { titleTemplate: '{name}', tags: [] });
    const filled = applyFill(table, planOf(build({ description: '<p>{name}</p>' }), table, files));
    expect(cells(filled, 'description')[0]).toBe('a < b & c');
    expect(choicesOf(filled, files, true).map(({ fields }) => fields?.description)).toEqual([
      '<p>a &lt; b &amp; c</p>',
      '<p>a &lt;b&gt; &amp; c</p>',
    ]);
  });

  it('keeps a tag that contains a bar as one tag', () => {
    const tagged = setCell(TABLE, { row: 0, column: at(TABLE, 'tags') }, 'a\\|b');
    const plan = planOf(build({ tags: '{now}, new' }), tagged);
    expect(plan.rows[0]?.cells.tags).toBe('a\\|b|new');
  });

  it('counts only rows whose values change', () => {
    expect(planOf(build({ title: '{name}' }))).toMatchObject({ changed: 0, problems: 0 });
  });

  it('changes all of 5,000 files', () => {
    const files = Array.from({ length: 5000 }, (_, index) => listedFile(`/in/20261104_Optics_Part_${index}.wav`));
    const table = fileTable(null, files, { titleTemplate: '{name}', tags: [] });
    expect(planOf(draft({ pattern: '{date:YYYYMMDD}_{course}_{title}' }), table, files).changed).toBe(5000);
  });
});

describe('values from inside the files', () => {
  const build = (templates: Partial<FillDraft['templates']>) => draft({ direction: 'build' }, templates);
  const [one, two, three] = FILES.map(({ path }) => path) as [string, string, string];

  it('are awaited only when a token needs them', () => {
    expect(planOf(build({ byline: '{tag.artist}' }))).toMatchObject({ pending: 3, changed: 0, problems: 0 });
    expect(planOf(build({ byline: '{folder}' }))).toMatchObject({ pending: 0, changed: 3 });
  });

  it('fill fields, with the recording date and its source; a file without a value gets the reason', () => {
    const recorded = { at: '2026-11-04T23:30:00', zone: null, source: 'exif' as const };
    const contents = new Map([
      facts(one, { mediaTags: { artist: 'Ada Lovelace' }, recorded }),
      facts(two, { problem: 'damaged' }),
      facts(three),
    ]);
    const plan = planOf(build({ byline: '{tag.artist}', tags: '{recorded:DD.MM.YYYY}' }), TABLE, FILES, contents);
    expect(plan).toMatchObject({ pending: 0, changed: 1, problems: 2 });
    expect(plan.rows[0]).toMatchObject({
      cells: { byline: 'Ada Lovelace', tags: '04.11.2026' },
      recorded,
      problem: null,
    });
    expect(plan.rows[1]?.problem).toBe(
      'Byline not filled: no value for {tag.artist}. Tags not filled: no value for {recorded}. The tags inside the file are damaged.',
    );
    expect(plan.rows[2]?.problem).not.toContain('damaged');
  });
});
