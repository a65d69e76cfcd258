import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { FolderStore } from '../../../../../electron/engine/watch/rows/folder-store.ts';
import { watchRulesSchema } from '../../../../../shared/contract/watch-rules.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { folderRecord } from '../../../../helpers/data/watched-folders.ts';

const RULES = watchRulesSchema.parse({
  rules: [{ id: 'r1', name: 'Lectures', action: { kind: 'skip' } }],
  defaults: {
    settings: { siteId: 's1', collection: { kind: 'fixed', collection: { kind: 'id', id: '1', name: 'One' } } },
  },
});
const FOLDER = folderRecord(RULES);

let database: Database;

beforeEach(async () => {
  database = await emptyDatabase();
  new FolderStore(database).add(FOLDER);
});
afterEach(() => database.close());

const storedRules = () => JSON.parse(String(database.prepare('SELECT rules FROM watched_folders').get()?.rules));

it('a watched folder keeps unknown members of its rules at each change', () => {
  const newer = {
    ...RULES,
    calendar: 'newer',
    rules: RULES.rules.map((rule) => ({ ...rule, color: 'red' })),
    defaults: { ...RULES.defaults, conditions: { ...RULES.defaults.conditions, newer: true } },
  };
  database.prepare('UPDATE watched_folders SET rules = $rules').run({ rules: JSON.stringify(newer) });
  const folders = new FolderStore(database);
  folders.change('f1', { lastSweepAt: 2 });
  expect(storedRules()).toEqual(newer);
  const rules = { ...RULES, rules: RULES.rules.map((rule) => ({ ...rule, name: 'Talks' })) };
  folders.change('f1', { rules });
  expect(storedRules()).toEqual({ ...newer, rules: newer.rules.map((rule) => ({ ...rule, name: 'Talks' })) });
  expect(new FolderStore(database).get('f1')?.rules).toEqual(rules);
});

it('a watched folder stores the rules in use when the stored ones were damaged meanwhile', () => {
  const folders = new FolderStore(database);
  database.prepare('UPDATE watched_folders SET rules = $rules').run({ rules: '{ damaged' });
  folders.change('f1', { lastSweepAt: 2 });
  expect(new FolderStore(database).get('f1')).toEqual({ ...FOLDER, lastSweepAt: 2 });
});
