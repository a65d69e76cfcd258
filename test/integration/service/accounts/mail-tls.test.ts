// Mail over TLS, through a real SMTP server with certificates of an authority of its own.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { linkIn, startMailServer } from '../../../helpers/service/mail-server.ts';
import { setPassword } from '../../../helpers/service/service-accounts.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { FormBrowser } from '../../../helpers/service/service-sign-in.ts';
import { type Authority, createAuthority } from '../../../helpers/wire/authority.ts';
import { hasOpenssl } from '../../../helpers/wire/certificate.ts';

describe.skipIf(!hasOpenssl)('mail over TLS', () => {
  let authority: Authority;
  let stranger: Authority;
  let service: ServiceProcess;
  let names = 0;
  beforeAll(async () => {
    authority = createAuthority('Example University CA');
    stranger = createAuthority('Somebody else');
    const trust = { NODE_EXTRA_CA_CERTS: authority.file, MEDIADESK_MAIL_PASSWORD: 'secret of the library' };
    service = await startService({ env: { ...process.env, ...trust } });
  });
  afterAll(async () => {
    await service?.stop();
    authority?.remove();
    stranger?.remove();
  });

  /** Starts a mail server that notes each sign-in, and whether it came through TLS. */
  async function serve(kind: 'smtp' | 'smtps', identity: { key: string; cert: string }) {
    const signIns: { password: string; isEncrypted: boolean }[] = [];
    const server = await startMailServer({
      ...identity,
      secure: kind === 'smtps',
      disabledCommands: [],
      onAuth({ username, password }, { secure }, done) {
        signIns.push({ password: password ?? '', isEncrypted: secure });
        done(null, { user: username });
      },
    });
    onTestFinished(() => server.close());
    const mail_server = server.url.replace('smtp://', `${kind}://library@`);
    await service.control('PATCH', '/settings', {
      mail_server,
      mail_from: 'library@uni.example',
      mail_tls: 'required',
    });
    return { signIns, mails: server.mails };
  }

  async function invite() {
    names += 1;
    const browser = new FormBrowser();
    const page = await browser.open(`${service.baseUrl}/account/people`);
    const { email_address, password } = service.admin;
    const people = await browser.submit(page, 'email_address', { email_address, password });
    const user = { email_address: `person${names}@uni.example`, first_name: 'P', last_name: 'N', mail: '1' };
    return browser.submit(people, 'first_name', user);
  }

  test.each(['smtp', 'smtps'] as const)('%s: mail and password are sent encrypted', async (kind) => {
    const { signIns, mails } = await serve(kind, authority.issue('127.0.0.1'));
    expect((await invite()).html).toContain('The link was sent to');
    expect(signIns).toEqual([{ password: 'secret of the library', isEncrypted: true }]);
    expect((await setPassword(mails.map(linkIn)[0] ?? '')).response.status).toBe(200);
  });

  test('smtps: a server without TLS gets nothing, and the administrator sees why', async () => {
    const plain = await startMailServer();
    onTestFinished(() => plain.close());
    const mail_server = plain.url.replace('smtp:', 'smtps:');
    await service.control('PATCH', '/settings', { mail_server, mail_from: 'library@uni.example' });
    expect((await invite()).html).toContain('The connection to the mail server can’t be encrypted.');
    expect(plain.mails).toEqual([]);
  });

  test.each([
    ['smtp', 'of an authority that is not known', () => stranger.issue('127.0.0.1')],
    ['smtps', 'of an authority that is not known', () => stranger.issue('127.0.0.1')],
    ['smtp', 'for another server', () => authority.issue('mail.other.example')],
    ['smtps', 'for another server', () => authority.issue('mail.other.example')],
    ['smtp', 'that has expired', () => authority.issue('127.0.0.1', true)],
    ['smtps', 'that has expired', () => authority.issue('127.0.0.1', true)],
  ] as const)(
    '%s: with a certificate %s, nothing is sent, and the administrator sees why',
    async (kind, _why, issue) => {
      const { signIns, mails } = await serve(kind, issue());
      expect((await invite()).html).toContain('The connection to the mail server can’t be encrypted.');
      expect([signIns, mails]).toEqual([[], []]);
    },
  );
});
