// The command line with a Secret Service that accepts connections and never answers.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli, startCli } from '../../helpers/cli/cli.ts';
import { openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { startService } from '../../helpers/service/service-process.ts';

describe.runIf(process.platform === 'linux')('a Secret Service that hangs', () => {
  let folder: string;
  let bus: Server;
  let isAsked: Promise<void>;
  const sockets = new Set<Socket>();
  let env: NodeJS.ProcessEnv;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mediadesk-bus-'));
    const path = join(folder, 'bus');
    bus = createServer();
    isAsked = new Promise((resolve) => {
      bus.on('connection', (socket) => {
        sockets.add(socket.on('error', () => undefined));
        resolve();
      });
    });
    await new Promise<void>((resolve) => bus.listen(path, resolve));
    env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`, XDG_RUNTIME_DIR: folder };
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => bus.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  it('does not keep a command running after Ctrl-C, and is reported as locked', async () => {
    const service = await startService({ seed: 'demo' });
    const account = await openCliProfile(service);
    try {
      const inbox = ['--profile', account.profile];
      expect((await account.run('watch', 'add', folder, '--collection', 'library')).code).toBe(0);
      // The profile expects its sign-in in the keychain of the system.
      const database = new DatabaseSync(join(account.profile, 'queue.db'));
      database.exec(`UPDATE sites SET record = json_set(record, '$.keptIn', 'system')`);
      database.close();
      const interrupted = startCli(['watch', 'run', ...inbox], { env });
      await isAsked;
      interrupted.child.kill('SIGINT');
      expect((await interrupted.ended).code).toBe(130);
      const { code, stderr } = await runCli(['watch', 'run', ...inbox], { env });
      expect({ code, stderr }).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('The keychain isn’t responding'),
      });
    } finally {
      await account.close();
      await service.stop();
    }
  }, 600_000);
});
