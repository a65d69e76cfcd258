// Requests of the API that no part of the desktop program may send.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Without a filter, this deletes all users but the caller; the API defines it so. */
const DELETES_EVERYBODY = 'bulk-delete';

test('neither the engine, the window nor the command line can send the deletion of users by a filter', () => {
  const read: string[] = [];
  for (const part of ['electron', 'renderer', 'shared']) {
    for (const name of readdirSync(join(ROOT, part), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue;
      const text = readFileSync(join(ROOT, part, name), 'utf8');
      expect(text.includes(DELETES_EVERYBODY), `${part}/${name}`).toBe(false);
      read.push(name);
    }
  }
  expect(read.length).toBeGreaterThan(500);
  // The service has the request under this name: the search above looks for the right text.
  const routes = readFileSync(join(ROOT, 'service', 'resources', 'users', 'user-routes.ts'), 'utf8');
  expect(routes).toContain(DELETES_EVERYBODY);
});
