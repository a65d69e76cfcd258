// The command line as processes of Windows, which a signal ends without a warning.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemKeychain, probeSystemKeychain } from '../../../electron/engine/ports/system/keychain-system.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { type CliProfile, errorOf, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { effectsOf } from '../../helpers/service/journal.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
let account: CliProfile;

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
  account = await openCliProfile(service);
});
afterAll(async () => {
  await service?.stop();
  await account?.close();
});

const slowUploads = () =>
  service.control('POST', '/faults', { method: 'POST', path: '^/upload/', action: { kind: 'delay', ms: 60_000 } });

describe('mediadesk', () => {
  it('sends a file once, with equal bytes, after it was killed while it sent the file', async () => {
    const path = join(account.folder, 'talk.bin');
    writeFileSync(path, Buffer.alloc(3_000_000, 'a talk '));
    await slowUploads();
    const run = account.start('upload', path, '--collection', 'library', '--wait', '--json');
    await run.record<UploadRow>('upload', ({ state }) => state === 'sending');
    run.child.kill();
    expect((await run.ended).code).not.toBe(0);
    await service.control('DELETE', '/faults');
    expect((await account.run('queue', 'resume', '--wait', '--json')).code).toBe(0);
    expect(await effectsOf(service, 'media-created')).toHaveLength(1);
    const [row] = (await account.run('queue', 'list', '--json')).records.map(({ upload }) => upload as UploadRow);
    const stored = await service.control<{ sha256: string }>('GET', `/files/${row?.fileId}/sha256`);
    expect(stored.sha256).toBe(createHash('sha256').update(readFileSync(path)).digest('hex'));
  });

  it('refuses a profile that another process uses, and opens it when that process was killed', async () => {
    const path = join(account.folder, 'other.bin');
    writeFileSync(path, 'another talk');
    await slowUploads();
    const first = account.start('upload', path, '--collection', 'library', '--wait', '--json');
    await first.record<UploadRow>('upload', ({ state }) => state === 'sending');
    const second = await account.run('queue', 'pause', '--json');
    expect(second.code).toBe(4);
    expect(errorOf(second).code).toBe('profile.in-use');
    first.child.kill();
    await first.ended;
    await service.control('DELETE', '/faults');
    expect((await account.run('queue', 'resume', '--wait')).code).toBe(0);
  });

  it('refuses --trash before it queues anything', async () => {
    const path = join(account.folder, 'trash.bin');
    writeFileSync(path, 'for the trash');
    const result = await account.run('upload', path, '--collection', 'library', '--trash', '--json');
    expect(result.code).toBe(2);
    expect(result.records).toEqual([]);
  });
});

it('the Credential Manager keeps and returns a secret', async () => {
  const keychain = createSystemKeychain({ clock: nodeClock });
  expect(await probeSystemKeychain(keychain, nodeRandom)).toBeNull();
});
