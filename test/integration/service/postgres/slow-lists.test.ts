import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  connectTo,
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from '../../../helpers/service/postgres.ts';
import { clientFor, clientWith, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const BLOCKED = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%memberships%'";

describe.skipIf(postgresPrograms() === undefined)('slow lists of one user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-slow-lists-'));
  let server: PostgresServer;
  let service: ServiceProcess;
  let admin: ServiceClient;
  let other: ServiceClient;
  let database: string;
  beforeAll(async () => {
    server = await startPostgres();
    database = await server.create();
    writeFileSync(join(folder, 'url'), database, { mode: 0o600 });
    // More connections than places for lists: only the places are scarce.
    const settings = { database: { url_file: join(folder, 'url'), connections: 12 } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
    service = await startService({ config: join(folder, 'config.json') });
    admin = await clientFor(service);
    const account = { email_address: 'second@here.example', password: 'pass-word-2', is_admin: true };
    await make(admin, 'users', account);
    other = clientWith(service, await signIn(service, { email: account.email_address, password: account.password }));
  });
  afterAll(async () => {
    await service?.stop();
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  test('leave a place for the lists of another user, however many wait', async () => {
    const locking = await connectTo(database);
    try {
      await locking.query('BEGIN');
      await locking.query('LOCK TABLE memberships IN ACCESS EXCLUSIVE MODE');
      const slow = Array.from({ length: 6 }, () => admin.get('/api2/memberships'));
      await expect.poll(async () => (await ask(database, BLOCKED)).length).toBe(3);
      for (let round = 0; round < 20; round += 1) expect((await other.get('/api2/users')).status).toBe(200);
      expect(await ask(database, BLOCKED)).toHaveLength(3);
      await locking.query('COMMIT');
      expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([200]));
    } finally {
      await locking.end();
    }
  });
});
