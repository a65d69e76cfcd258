// Requests of the API that only one part of the desktop program may send.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Without a filter, this deletes all users but the caller; the API defines it so. */
const DELETES_EVERYBODY = '/bulk-delete?';
const ROUTE = '/api2/users/bulk-delete';
const SENDS_IT = 'bulkDeleteUsers';
const CALLS_IT = 'admin.bulkDeletePeople';

function filesWith(text: string, ...parts: readonly string[]): string[] {
  const found: string[] = [];
  for (const part of parts) {
    for (const name of readdirSync(join(ROOT, part), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue;
      if (readFileSync(join(ROOT, part, name), 'utf8').includes(text))
        found.push(`${part}/${name.replaceAll('\\', '/')}`);
    }
  }
  return found.sort();
}

test('only one command can send the deletion of users by a filter; the window can’t', () => {
  const parts = ['electron', 'renderer', 'shared'];
  expect(filesWith(DELETES_EVERYBODY, ...parts)).toEqual(['electron/engine/api/users.ts']);
  expect(filesWith(SENDS_IT, ...parts)).toEqual([
    'electron/engine/admin/bulk-delete.ts',
    'electron/engine/api/users.ts',
  ]);
  expect(filesWith(CALLS_IT, ...parts)).toEqual([
    'electron/cli/commands/admin/users-bulk-delete.ts',
    'electron/engine/admin/bulk-delete.ts',
    'shared/contract/admin/admin-calls.ts',
  ]);
  // The service has the request under this name: the search above looks for the right text.
  expect(filesWith(ROUTE, 'service')).toContain('service/resources/users/user-routes.ts');
});
