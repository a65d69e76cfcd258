// The command line as a separate process against the real service: an upload is in the queue before the library or the
// keychain is used.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Receipt } from '../../../shared/contract/uploads.ts';
import { type CliResult, runCli } from '../../helpers/cli/cli.ts';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clearJournal, effectsOf, journalOf, requestsOf } from '../../helpers/service/journal.ts';
import { clientFor } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

const FILES = ['one.bin', 'two.bin', 'three.bin'];

let service: ServiceProcess;
/** Makes the contents of each test different, so that the library has none of them. */
let count = 0;
let account: CliProfile;
let folder: string;
let profile: string;

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  account = await openCliProfile(service);
  ({ folder, profile } = account);
  count += 1;
  for (const name of FILES) await writeFile(join(folder, name), `${name} of ${folder}`.repeat(50 + count));
  await clearJournal(service);
});
afterEach(async () => {
  await service.control('DELETE', '/faults');
  await account.close();
});

const paths = () => FILES.map((name) => join(folder, name));
const cli = (...args: string[]) => account.run(...args);
const upload = (...args: string[]) => cli('upload', ...paths(), '--collection', 'library', '--json', ...args);

async function receiptOf(): Promise<Receipt> {
  return JSON.parse((await cli('receipt', '--json')).stdout) as Receipt;
}

/** Creates a collection in the library (at its top by default) and returns its id. */
async function collectionMaker(): Promise<(name: string, parentId?: string) => Promise<string>> {
  const client = await clientFor(service);
  const { body } = await client.get('/api2/collections/tree');
  return async (display_name, parent_id = body.root.id) =>
    (await client.post('/api2/collections', { display_name, parent_id })).body.id;
}

async function expectAllOnce(result: CliResult): Promise<void> {
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
  const receipt = await receiptOf();
  expect(receipt.totals).toMatchObject({ added: 3, complete: 3, failed: 0, pending: 0 });
  expect(receipt).toMatchObject({ collectionName: 'Library' });
  expect(receipt.collectionId).not.toBe('');
  expect(await effectsOf(service, 'media-created')).toHaveLength(3);
}

describe('the upload command', { timeout: 300_000 }, () => {
  it('queues when the library answers 500, 502, 503, 504 or 429, and sends each file once afterwards', async () => {
    for (const [index, status] of [500, 502, 503, 504, 429].entries()) {
      const path = join(folder, `${status}.bin`);
      await writeFile(path, `${status} ${folder}`.repeat(10 + index));
      await service.control('POST', '/faults', { path: '.', times: null, action: { kind: 'status', status } });
      const queued = await cli('upload', path, '--collection', 'library', '--json');
      expect(queued).toMatchObject({ code: 0, stderr: '', records: [{ batch: { added: 1, skippedCount: 0 } }] });
      expect(await receiptOf()).toMatchObject({ collectionId: '', totals: { added: 1, pending: 1 } });
      await service.control('DELETE', '/faults');
    }
    const sent = await cli('queue', 'resume', '--wait', '--json');
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    expect(sent.records.at(-1)).toEqual({ outcome: { complete: 5, failed: 0, cancelled: 0, pending: 0 } });
    expect(await effectsOf(service, 'media-created')).toHaveLength(5);
  });

  it('sends each file once when the first answers are a 500, a 503 and a 429', async () => {
    for (const [index, status] of [500, 503, 429].entries()) {
      const rule = { path: '.', nth: index + 1, action: { kind: 'status', status } };
      await service.control('POST', '/faults', rule);
    }
    await expectAllOnce(await upload('--wait'));
  });

  it('sends no request to the library without --wait', async () => {
    await upload();
    expect(await journalOf(service)).toEqual([]);
  });

  it('queues when there is no network, and sends each file once afterwards', async () => {
    await service.kill9();
    const queued = await upload();
    await service.restart();
    expect(queued).toMatchObject({ code: 0, stderr: '', records: [{ batch: { added: 3 } }] });
    await expectAllOnce(await cli('queue', 'resume', '--wait', '--json'));
  });

  it('sends each file once when the first replies about collections are lost', async () => {
    await service.control('POST', '/faults', { path: '/collections', times: 2, action: { kind: 'lose-reply' } });
    await expectAllOnce(await upload('--wait'));
  });

  it('keeps everything in the queue when the reply with the token is lost and the sign-in ends', async () => {
    await service.control('POST', '/faults', { path: '/oauth/access_token', action: { kind: 'lose-reply' } });
    expect((await upload('--wait')).code).toBe(3);
    expect((await receiptOf()).totals).toMatchObject({ added: 3, pending: 3, failed: 0 });
    await account.signIn();
    await expectAllOnce(await cli('queue', 'resume', '--wait', '--json'));
  });

  it('resolves the collection once for all files of a batch', async () => {
    await expectAllOnce(await upload('--wait'));
    expect(await requestsOf(service, 'GET', /collections/)).toHaveLength(1);
  });

  it('queues with exit code 1 and a notice when the keychain is not available', async () => {
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', XDG_RUNTIME_DIR: folder };
    const args = ['upload', ...paths(), '--collection', 'library', '--profile', profile, '--json'];
    const queued = await runCli(args, { env });
    expect(queued.code).toBe(1);
    expect(queued.records).toMatchObject([{ batch: { added: 3 } }, { notice: { code: 'keychain.unavailable' } }]);
    expect(await journalOf(service)).toEqual([]);
    await expectAllOnce(await cli('queue', 'resume', '--wait', '--json'));
  });

  it('queues, sends nothing, ends with exit code 1 and fails no upload when the passphrase is wrong', async () => {
    const args = ['upload', ...paths(), '--collection', 'library', ...account.keys, '--json'];
    const wrong = { env: { MEDIADESK_PASSPHRASE: 'wrong horse' } };
    const queued = await runCli([...args, '--wait'], wrong);
    expect(queued.code).toBe(1);
    expect((await receiptOf()).totals).toMatchObject({ added: 3, pending: 3, failed: 0 });
    await expectAllOnce(await cli('queue', 'resume', '--wait', '--json'));
  });

  it('queues with exit code 3 when the account is signed out, and sends after the next sign-in', async () => {
    expect((await cli('sign-out')).code).toBe(0);
    const queued = await upload();
    expect(queued).toMatchObject({
      code: 3,
      records: [{ batch: { added: 3 } }, { notice: { code: 'sign-in.required' } }],
    });
    expect((await cli('queue', 'resume', '--wait')).code).toBe(3);
    await account.signIn();
    await clearJournal(service);
    await expectAllOnce(await cli('queue', 'resume', '--wait', '--json'));
  });

  it('queues nothing when the profile has no account', async () => {
    const args = [
      'upload',
      ...paths(),
      '--collection',
      'library',
      '--profile',
      join(folder, 'empty'),
      '--keychain',
      'memory',
    ];
    expect((await runCli(args)).code).toBe(3);
    expect((await runCli(['queue', 'list', '--profile', join(folder, 'empty'), '--keychain', 'memory'])).stdout).toBe(
      '',
    );
  });
});

describe('the collection of an upload', { timeout: 300_000 }, () => {
  it('that does not exist fails the uploads with the next step, and nothing changes in the library', async () => {
    const failed = await cli('upload', ...paths(), '--collection', 'no-such-place', '--wait');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('“no-such-place”');
    expect(failed.stderr).toContain('queue retry --batch');
    const receipt = await receiptOf();
    expect(receipt).toMatchObject({
      collectionId: '',
      collectionName: 'no-such-place',
      totals: { added: 3, failed: 3 },
    });
    expect(receipt.lines.map(({ errorCode }) => errorCode)).toEqual(Array(3).fill('collection.unknown'));
    expect((await journalOf(service)).flatMap(({ effects }) => effects)).toEqual([]);

    const again = await cli('queue', 'retry', '--batch', receipt.batchId, '--collection', 'library', '--json');
    expect(again).toMatchObject({ code: 0, records: [{ retry: { changed: 3 } }] });
    await expectAllOnce(await cli('queue', 'resume', '--wait', '--json'));
  });

  it('is found by a retry when it was created later', async () => {
    const name = `Made later ${count}`;
    expect((await cli('upload', ...paths(), '--collection', name, '--wait')).code).toBe(1);
    const make = await collectionMaker();
    await make(name);
    expect((await cli('queue', 'retry')).code).toBe(0);
    expect((await cli('queue', 'resume', '--wait')).code).toBe(0);
    expect(await receiptOf()).toMatchObject({ collectionName: name, totals: { complete: 3 } });
  });

  it('is not guessed when several have the name; a path selects one', async () => {
    const make = await collectionMaker();
    const [first, second] = [await make(`Above ${count}`), await make(`Beside ${count}`)];
    await make(`Twins ${count}`, first);
    const wanted = await make(`Twins ${count}`, second);
    await clearJournal(service);
    const failed = await cli('upload', ...paths(), '--collection', `Twins ${count}`, '--wait');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(`${wanted}: Library / Beside ${count} / Twins ${count}`);
    expect((await journalOf(service)).flatMap(({ effects }) => effects)).toEqual([]);
    const { batchId } = await receiptOf();
    const path = `Beside ${count} / Twins ${count}`;
    expect((await cli('queue', 'retry', '--batch', batchId, '--collection', path)).code).toBe(0);
    expect((await cli('queue', 'resume', '--wait')).code).toBe(0);
    expect(await receiptOf()).toMatchObject({ collectionId: wanted, totals: { complete: 3 } });
    const known = await cli('queue', 'retry', '--batch', batchId, '--collection', 'library');
    expect(known.code).toBe(2);
  });
});
