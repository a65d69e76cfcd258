import { beforeEach, expect, it } from 'vitest';
import { nodeRandom } from '../../../../electron/engine/ports/system/node-random.ts';
import { presetHandlers } from '../../../../electron/engine/uploads/preset-handlers.ts';
import { MAX_RECIPES, type PresetValues } from '../../../../shared/contract/presets.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const VALUES: PresetValues = {
  titleTemplate: '{name}',
  tags: ['optics'],
  publish: 'draft',
  duplicates: 'ask',
  sidecars: true,
  source: { kind: 'keep' },
  priority: 'normal',
};
const PLACE = { siteId: 's1', collectionId: 'c1' };

let settings: Map<string, string>;
let clock: ManualClock;
let calls: ReturnType<typeof presetHandlers>;
let logger: ReturnType<typeof captureLogger>;

beforeEach(() => {
  settings = new Map();
  clock = new ManualClock();
  logger = captureLogger();
  calls = presetHandlers({
    stored: { get: (name) => settings.get(name) ?? null, set: (name, value) => void settings.set(name, value) },
    clock,
    random: nodeRandom,
    logger,
  });
});

const save = async (name: string, values = VALUES, place = PLACE) => {
  clock.advance(1000);
  return (await calls['presets.save']({ ...place, name, values })).map((each) => each.name);
};
const names = async (place = PLACE) => (await calls['presets.list'](place)).map(({ name }) => name);

it('the presets of a collection are listed, the last used first', async () => {
  await save('Lectures');
  await save('Seminars');
  await save('Elsewhere', VALUES, { ...PLACE, collectionId: 'c2' });
  await save('Another account', VALUES, { ...PLACE, siteId: 's2' });
  expect(await names()).toEqual(['Seminars', 'Lectures']);
  clock.advance(1000);
  const [, lectures] = await calls['presets.list'](PLACE);
  await calls['presets.use']({ ...PLACE, id: lectures?.id ?? '' });
  expect(await names()).toEqual(['Lectures', 'Seminars']);
});

it('a preset replaces a preset of the same name, whatever its letter case, and keeps its id', async () => {
  await save('Lectures');
  const [first] = await calls['presets.list'](PLACE);
  await save('lectures ', { ...VALUES, tags: ['other'] });
  const presets = await calls['presets.list'](PLACE);
  expect(presets.map(({ id, values }) => [id, values.tags])).toEqual([[first?.id, ['other']]]);
});

it('a preset can be renamed and removed, but never gets the name of another preset of the collection', async () => {
  await save('Lectures');
  await save('Seminars');
  const [seminars, lectures] = await calls['presets.list'](PLACE);
  const rename = (name: string) => calls['presets.rename']({ ...PLACE, id: seminars?.id ?? '', name });
  await expect(rename('LECTURES')).rejects.toMatchObject({ code: 'preset.name-taken' });
  await rename('SEMINARS');
  expect(await names()).toEqual(['SEMINARS', 'Lectures']);
  await calls['presets.remove']({ ...PLACE, id: lectures?.id ?? '' });
  expect(await names()).toEqual(['SEMINARS']);
});

it('a stored preset that this version can’t read is not listed, and neither is any of an unreadable text', async () => {
  await save('Lectures');
  const stored = JSON.parse(settings.get('presets s1') ?? '[]') as object[];
  settings.set('presets s1', JSON.stringify([{ name: 'from the future' }, ...stored, 7]));
  expect(await names()).toEqual(['Lectures']);
  settings.set('presets s1', '{ damaged');
  expect(await names()).toEqual([]);
});

it('stored presets and members that this version can’t read are kept at each change', async () => {
  await save('Lectures');
  const [lectures] = JSON.parse(settings.get('presets s1') ?? '[]') as [{ id: string; values: object }];
  const newer = { ...lectures, id: 'newer', values: { ...lectures.values, priority: 'overnight' } };
  const extended = { ...lectures, color: 'red', values: { ...lectures.values, language: 'fr' } };
  settings.set('presets s1', JSON.stringify([newer, extended]));
  await calls['presets.rename']({ ...PLACE, id: lectures.id, name: 'Talks' });
  await save('Seminars');
  await save('talks', { ...VALUES, tags: ['changed'] });
  const stored = JSON.parse(settings.get('presets s1') ?? '[]') as object[];
  expect(stored).toHaveLength(3);
  expect(stored[0]).toEqual(newer);
  expect(stored).toContainEqual(
    expect.objectContaining({ name: 'talks', color: 'red', values: { ...VALUES, tags: ['changed'], language: 'fr' } }),
  );
  for (const { id } of await calls['presets.list'](PLACE)) await calls['presets.remove']({ ...PLACE, id });
  expect(settings.get('presets s1')).toBe(JSON.stringify([newer]));
});

it('an unreadable text of presets is reported and kept when presets are saved', async () => {
  settings.set('presets s1', '{ damaged');
  expect(await names()).toEqual([]);
  expect(logger.lines).toMatchObject([{ event: 'settings.unreadable', fields: { name: 'presets s1' } }]);
  expect(await save('Lectures')).toEqual(['Lectures']);
  expect([...settings.values()]).toContain('{ damaged');
});

it('saved recipes that this version can’t read are kept at each change', async () => {
  const newer = { id: 'r', name: 'Newer', recipe: { pattern: '{from a newer version}' }, usedAt: 1 };
  settings.set('recipes', JSON.stringify([newer]));
  await calls['recipes.save']({ name: 'Date', recipe: { pattern: '{date}', fields: {}, hasUnderscores: false } });
  expect(JSON.parse(settings.get('recipes') ?? '')).toMatchObject([newer, { name: 'Date' }]);
});

it('a recipe with a name that is taken, and one too many, are rejected with codes of recipes, not of presets', async () => {
  const recipe = { pattern: '{date}', fields: {}, hasUnderscores: false };
  await calls['recipes.save']({ name: 'Date', recipe });
  await calls['recipes.save']({ name: 'Other', recipe });
  const { id = '' } = (await calls['recipes.list'](null)).find(({ name }) => name === 'Other') ?? {};
  const rename = () => calls['recipes.rename']({ id, name: 'date' });
  await expect(rename()).rejects.toMatchObject({ code: 'recipe.name-taken' });
  for (let number = 2; number < MAX_RECIPES; number += 1)
    await calls['recipes.save']({ name: `More ${number}`, recipe });
  await expect(calls['recipes.save']({ name: 'One too many', recipe })).rejects.toMatchObject({
    code: 'recipe.too-many',
  });
});

it('a recipe is saved without an account, and can be renamed and removed', async () => {
  const recipe = { pattern: '{date}_{title}', fields: { title: '{title}' }, hasUnderscores: true };
  await calls['recipes.save']({ name: 'Date and title', recipe });
  expect(await calls['recipes.list'](null)).toMatchObject([{ name: 'Date and title', recipe }]);
  const [saved] = await calls['recipes.rename']({ id: (await calls['recipes.list'](null))[0]?.id ?? '', name: 'New' });
  expect(saved?.name).toBe('New');
  expect(await calls['recipes.remove']({ id: saved?.id ?? '' })).toEqual([]);
});
