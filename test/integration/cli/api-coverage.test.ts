// The commands of docs/api-coverage.md, run against a real service: each requests the endpoint that the table says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminLab, openAdminLab } from '../../helpers/cli/admin-lab.ts';
import { clearJournal, journalOf } from '../../helpers/service/journal.ts';
import { make } from '../../helpers/service/service-people.ts';

const TABLE = join(import.meta.dirname, '../../../docs/api-coverage.md');
const rows = readFileSync(TABLE, 'utf8')
  .split('\n')
  .filter((line) => /^\| (GET|POST|DELETE) /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, endpoint = '', , , command = '']) => ({ endpoint, command }));

let lab: AdminLab;
const ids = { item: '', user: '', leaver: '', group: '', role: '', collection: '', target: '' };

beforeAll(async () => {
  lab = await openAdminLab();
  ids.item = (await lab.direct.createItem('Covered', { tags: ['covered'] })).split('/').at(-1) ?? '';
  ids.user = (await make(lab.direct, 'users', { first_name: 'Uma' })).id;
  ids.leaver = (await make(lab.direct, 'users', { first_name: 'Leaver' })).id;
  ids.group = (await make(lab.direct, 'groups', { display_name: 'Covering' })).id;
  const permissions = ['collection-read', 'media-read'];
  ids.role = (await make(lab.direct, 'roles', { display_name: 'Coverer', permissions })).id;
  const collection = async (display_name: string) =>
    (await lab.direct.post('/api2/collections', { display_name, parent_id: '1' })).body.id;
  ids.collection = await collection('Moved');
  ids.target = await collection('Target');
}, 600_000);
afterAll(() => lab?.close());

/**
 * Endpoints of the table with the command that it names for them, in an order in which each command finds what it needs. `<name>` stands
 * for an id of `beforeAll`.
 */
const RUNS: readonly (readonly [endpoints: readonly string[], command: string, args: readonly string[]])[] = [
  [['GET /api2/collections/tree'], 'collections list', []],
  [['POST /api2/collections'], 'collections create', ['New', '--in', '<collection>']],
  [['POST /api2/collections/:id'], 'collections edit', ['<collection>', 'description=Changed']],
  [['POST /api2/collections/:id/move'], 'collections move', ['<collection>', '--to', '<target>']],
  [['GET /api2/collections', 'DELETE /api2/collections/:id'], 'collections delete', ['<collection>', '--yes']],
  [['GET /api2/media'], 'library list', []],
  [['GET /api2/media/:id'], 'library show', ['<item>']],
  [['GET /api2/media/:media_id/files'], 'files list', ['<item>']],
  [['POST /api2/media/:id'], 'edit', ['<item>', '--title-prefix', 'New: ']],
  [['POST /api2/media/:id/add-tags'], 'edit', ['<item>', '--add-tag', 'more']],
  [['GET /api2/users'], 'admin users list', []],
  [['GET /api2/users/:id'], 'admin users show', ['<user>']],
  [['POST /api2/users'], 'admin users create', ['--email', 'n@x.example', '--first', 'New', '--last', 'User']],
  [['POST /api2/users/:id'], 'admin users edit', ['<user>', '--administrator', 'yes']],
  [['DELETE /api2/users/:id'], 'admin users delete', ['<leaver>', '--yes']],
  [['GET /api2/groups'], 'admin groups list', []],
  [['POST /api2/groups'], 'admin groups create', ['Other']],
  [['GET /api2/groups/:id', 'POST /api2/groups/:id'], 'admin groups rename', ['<group>', 'Renamed']],
  [['DELETE /api2/groups/:id'], 'admin groups delete', ['Other', '--yes']],
  [['GET /api2/tags'], 'admin tags list', []],
  [['POST /api2/tags'], 'admin tags create', ['plain']],
  [['GET /api2/tags/:id', 'POST /api2/tags/:id'], 'admin tags rename', ['plain', 'renamed']],
  [['GET /api2/media/count', 'DELETE /api2/tags/:ids'], 'admin tags delete', ['covered', '--yes']],
  [['GET /api2/roles'], 'admin roles list', []],
  [['GET /api2/roles/count'], 'admin roles count', []],
  [['POST /api2/roles'], 'admin roles create', ['Player', '--permissions', 'media-play']],
  [['GET /api2/memberships'], 'admin members list', []],
  [['POST /api2/memberships'], 'admin members set', ['<target>', '--group', '<group>', '--role', '<role>']],
  [['GET /api2/memberships/calculate-roles-perms'], 'access explain', ['<user>']],
  [
    ['GET /api2/roles/:id', 'POST /api2/roles/:id/add-permissions'],
    'admin roles edit',
    ['<role>', '--add', 'media-play'],
  ],
  [
    ['GET /api2/memberships/:id', 'DELETE /api2/memberships/:id'],
    'admin members remove',
    ['<target>', '--group', '<group>'],
  ],
  [['DELETE /api2/roles/:id'], 'admin roles delete', ['<role>', '--yes']],
];

const filledIn = (arg: string) => arg.replace(/^<(\w+)>$/, (_, name: keyof typeof ids) => ids[name]);

/** Returns a pattern for the paths of an endpoint. A name in its place, such as `count`, is no id. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]*\\d[^/]*')}$`);
}

describe('a command of the table of endpoints', { timeout: 120_000 }, () => {
  it.each(RUNS)('requests %j: %s', async (endpoints, command, args) => {
    await clearJournal(lab.service);
    const { code, stderr } = await lab.cli(...command.split(' '), ...args.map(filledIn));
    expect(code, stderr).toBe(0);
    const requested = await journalOf(lab.service);
    for (const endpoint of endpoints) {
      const [method, path = ''] = endpoint.split(' ');
      const found = requested.some((entry) => entry.method === method && patternOf(path).test(entry.path ?? ''));
      expect(found, `${endpoint} in ${requested.map((entry) => `${entry.method} ${entry.path}`).join(', ')}`).toBe(
        true,
      );
      expect(rows.find((row) => row.endpoint === endpoint)?.command, endpoint).toBe(command);
    }
  });
});
