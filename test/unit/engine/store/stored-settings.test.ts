import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { StoredSettings } from '../../../../electron/engine/store/stored-settings.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';

const schema = z.object({ id: z.string(), text: z.string().max(5) });

let texts: Map<string, string>;
let logger: ReturnType<typeof captureLogger>;
let settings: StoredSettings;

beforeEach(() => {
  texts = new Map();
  logger = captureLogger();
  settings = new StoredSettings(
    { get: (name) => texts.get(name) ?? null, set: (name, text) => void texts.set(name, text) },
    logger,
  );
});

const stored = () => JSON.parse(texts.get('list') ?? '') as unknown;

it('unknown entries of a stored list keep their positions, and unknown members their values, when it is written', () => {
  const newer = { id: 'n', text: 'from a newer version' };
  texts.set('list', JSON.stringify([newer, { id: 'a', text: 'one', color: 'red' }, 7, { id: 'b', text: 'two' }]));
  const list = settings.list('list', schema) ?? [];
  expect(list.map(({ id }) => id)).toEqual(['a', 'b']);
  settings.setList('list', schema, [
    { id: 'b', text: 'two' },
    { id: 'a', text: 'new' },
    { id: 'c', text: 'three' },
  ]);
  expect(stored()).toEqual([
    newer,
    { id: 'b', text: 'two' },
    7,
    { id: 'a', text: 'new', color: 'red' },
    { id: 'c', text: 'three' },
  ]);
  settings.setList('list', schema, []);
  expect(stored()).toEqual([newer, 7]);
});

it('unknown entries of a stored list are reported once, and so is an unreadable text that replaces the list', () => {
  texts.set('list', '[7]');
  settings.list('list', schema);
  settings.list('list', schema);
  expect(logger.lines).toEqual([{ level: 'warn', event: 'settings.not-understood', fields: { name: 'list' } }]);
  texts.set('list', '{ damaged');
  settings.list('list', schema);
  settings.list('list', schema);
  expect(logger.lines.slice(1)).toEqual([
    { level: 'warn', event: 'settings.unreadable', fields: { name: 'list', code: 'profile.setting-unreadable' } },
  ]);
});

it.each(['{ damaged', '{"a":1}', 'null', '"text"'])(
  'the unreadable text %s of a stored list is copied before it is replaced',
  (text) => {
    texts.set('list', text);
    expect(settings.list('list', schema)).toBeNull();
    expect([...texts]).toEqual([['list', text]]);
    settings.setList('list', schema, [{ id: 'a', text: 'one' }]);
    expect(texts.get('list unreadable 1')).toBe(text);
    expect(settings.list('list', schema)).toEqual([{ id: 'a', text: 'one' }]);
  },
);

it('each unreadable text of a stored list is copied once, also when it occurs again', () => {
  for (const text of ['{ one', '{ two', '{ one']) {
    texts.set('list', text);
    settings.setList('list', schema, []);
  }
  expect([...texts.keys()]).toEqual(['list', 'list unreadable 1', 'list unreadable 2']);
});

it('the removal of a stored list also removes the copies of its unreadable texts', () => {
  texts.set('list', '{ one');
  settings.setList('list', schema, []);
  settings.remove('list');
  expect([...texts.values()].join('')).toBe('');
  expect(settings.list('list', schema)).toBeNull();
  expect(logger.lines).toEqual([expect.objectContaining({ event: 'settings.unreadable' })]);
});

it('a change of a stored object changes only the named members', () => {
  texts.set('object', JSON.stringify({ id: 'a', text: 'too long for this version', newer: true }));
  expect(settings.object('object', schema)).toEqual({ id: 'a' });
  settings.setObject('object', { id: 'b' });
  expect(JSON.parse(texts.get('object') ?? '')).toEqual({ id: 'b', text: 'too long for this version', newer: true });
});

it('an unreadable stored object is copied before it is replaced', () => {
  texts.set('object', '[1]');
  settings.setObject('object', { id: 'b' });
  expect([texts.get('object'), texts.get('object unreadable 1')]).toEqual(['{"id":"b"}', '[1]']);
});
