// Signing in on the command line, as a separate process against the real service.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CliRun, startCli } from '../../helpers/cli/cli.ts';
import { PASSPHRASE_ENV } from '../../helpers/cli/cli-profile.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { FormBrowser } from '../../helpers/service/service-sign-in.ts';

let service: ServiceProcess;
let folder: string;

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-sign-in-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function signIn(...more: string[]): CliRun {
  const site = ['--site', service.baseUrl, '--client-id', service.clientId];
  const args = ['sign-in', ...site, '--profile', join(folder, 'profile'), '--keychain', 'file', '--json', ...more];
  return startCli(args, { env: PASSPHRASE_ENV, stdin: 'pipe' });
}

/** Approves or denies in a browser; returns the title of the last page. */
async function decide(address: string, decision: 'approve' | 'deny'): Promise<string> {
  const browser = new FormBrowser();
  let page = await browser.open(address);
  page = await browser.submit(page, 'email_address', { ...service.admin });
  page = await browser.submit(page, 'decision', { decision });
  const title = /<title>([^<]*)<\/title>/.exec(page.html)?.[1] ?? '';
  return title.replaceAll('&amp;', '&');
}

describe('“sign-in --paste”', () => {
  it('signs in with the title of the last page, of a browser anywhere, after a text that is no code', async () => {
    const run = signIn('--paste');
    const address = new URL(await run.record<string>('open'));
    expect(address.searchParams.get('redirect_uri')).toBe('urn:ietf:wg:oauth:2.0:oob');
    expect(address.searchParams.get('state')?.length).toBeLessThanOrEqual(10);
    const title = await decide(address.href, 'approve');
    run.child.stdin?.write(`not a code\n${title}\n`);
    expect(await run.ended).toMatchObject({
      code: 0,
      records: [{ open: address.href }, { site: { state: 'signed-in' } }],
    });
  });

  it('signs in with the code alone, also when the input ends behind it', async () => {
    const run = signIn('--paste');
    const title = await decide(await run.record<string>('open'), 'approve');
    run.child.stdin?.end(new URLSearchParams(title.replace('Success ', '')).get('code') ?? '');
    expect((await run.ended).code).toBe(0);
  });

  it('ends with 3 when the user denied, when the title is of another sign-in, and when the input ends', async () => {
    const denied = signIn('--paste');
    const title = await decide(await denied.record<string>('open'), 'deny');
    denied.child.stdin?.write(`${title}\n`);
    expect(await denied.ended).toMatchObject({ code: 3, stderr: expect.stringContaining('sign-in.denied') });
    const other = signIn('--paste');
    await other.record('open');
    other.child.stdin?.write('Success code=abc&state=other\n');
    expect(await other.ended).toMatchObject({ code: 3, stderr: expect.stringContaining('sign-in.state-mismatch') });
    const without = signIn('--paste');
    await without.record('open');
    without.child.stdin?.end();
    expect(await without.ended).toMatchObject({ code: 3, stderr: expect.stringContaining('sign-in.cancelled') });
  });
});

describe('“sign-in --port”', () => {
  it('receives the sign-in on this port, and reports when another program uses it', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const taken = await signIn('--browser', 'none', '--port', String(port)).ended;
    expect(taken).toMatchObject({ code: 3, stderr: expect.stringContaining('sign-in.port-taken') });
    await new Promise((resolve) => blocker.close(resolve));
    const run = signIn('--browser', 'none', '--port', String(port));
    const address = new URL(await run.record<string>('open'));
    expect(address.searchParams.get('redirect_uri')).toBe(`http://localhost:${port}/`);
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
  });

  it('is refused with --paste, and with a number that is no port', async () => {
    expect((await signIn('--paste', '--port', '8080').ended).code).toBe(2);
    expect((await signIn('--port', '70000').ended).code).toBe(2);
  });
});
