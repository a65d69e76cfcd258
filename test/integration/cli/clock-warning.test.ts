// The command line warns of different clocks where a time of publication is given, as the window does.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { clientFor } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { type ChangingProxy, startChangingProxy } from '../../helpers/wire/changing-proxy.ts';

let service: ServiceProcess;
let proxy: ChangingProxy;
let account: CliProfile;
let itemId: string;

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
  proxy = await startChangingProxy(service.baseUrl);
  account = await openCliProfile({
    baseUrl: proxy.baseUrl,
    clientId: service.clientId,
    admin: service.admin,
  });
  itemId = (await (await clientFor(service)).createItem('Talk')).split('/').at(-1) ?? '';
}, 600_000);
afterAll(async () => {
  await account?.close();
  await proxy?.close();
  await service?.stop();
});

/** Sets the library's clock ahead of the clock of this computer; a negative number sets it behind. */
function moveLibraryClock(bySeconds: number): void {
  const date = () => new Date(Date.now() + bySeconds * 1000).toUTCString();
  proxy.change({ reply: (reply) => ({ ...reply, headers: { ...reply.headers, date: date() } }) });
}

const TIME = '2031-05-06T07:00Z';
const cli = (...args: string[]) => account.run(...args);
const uploadOf = async (name: string, ...args: string[]) => {
  const path = join(account.folder, name);
  await writeFile(path, `clock ${name}`);
  return cli('upload', path, '--collection', 'library', ...args);
};

describe('a time of publication', { timeout: 300_000 }, () => {
  it('causes a warning when the clocks of computer and library differ by more than two minutes', async () => {
    moveLibraryClock(-300);
    const ahead = /clock is 5 minutes ahead of the library’s\. The library publishes by its own clock\./;
    expect((await uploadOf('one.bin', '--publish', TIME)).stderr).toMatch(ahead);
    expect((await uploadOf('two.bin', '--publish', TIME, '--wait')).stderr).toMatch(ahead);
    expect((await cli('edit', itemId, '--publish', TIME, '--dry-run')).stderr).toMatch(ahead);
    moveLibraryClock(300);
    const behind = await cli('edit', itemId, '--publish', TIME, '--dry-run');
    expect(behind.stderr).toMatch(/clock is 5 minutes behind the library’s/);
    const { records } = await cli('edit', itemId, '--publish', TIME, '--dry-run', '--json');
    const clock = records.find((record) => 'clock' in record)?.clock as { aheadMs: number } | undefined;
    expect(Math.abs((clock?.aheadMs ?? Number.NaN) + 300_000)).toBeLessThan(10_000);
  });

  it('causes no warning when the clocks differ by less, and commands without a time give none', async () => {
    moveLibraryClock(-115);
    expect((await cli('edit', itemId, '--publish', TIME, '--dry-run')).stderr).not.toContain('clock');
    moveLibraryClock(-300);
    expect((await uploadOf('three.bin', '--publish', 'now')).stderr).not.toContain('clock');
    expect((await cli('edit', itemId, '--title', 'Other', '--dry-run')).stderr).not.toContain('clock');
  });
});
