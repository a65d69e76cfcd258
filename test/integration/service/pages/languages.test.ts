// The pages of the service in other languages: all their sentences come from one file for each language.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import english from '../../../../service/languages/en.json' with { type: 'json' };
import { type MailServer, startMailServer } from '../../../helpers/service/mail-server.ts';
import { resetLinkFor, runProgram } from '../../../helpers/service/service-accounts.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { wav } from '../../../helpers/service/service-samples.ts';
import { FormBrowser, PKCE } from '../../../helpers/service/service-sign-in.ts';

let service: ServiceProcess;
let mail: MailServer;
let folder: string;

const marked = (text: string) => `⟦<i>${text}⟧`;
/** A language in which every text is marked, and contains HTML. */
const MARKED = Object.fromEntries(
  Object.entries(english).map(([key, entry]) => {
    if (typeof entry === 'string') return [key, marked(entry)];
    return [key, { one: marked(entry.one), other: marked(entry.other) }];
  }),
);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'languages-'));
  writeFileSync(join(folder, 'sv.json'), JSON.stringify(MARKED));
  mail = await startMailServer();
  service = await startService({ options: ['--languages', folder, '--operations', '0'] });
  await service.control('PATCH', '/settings', {
    mail_server: mail.url,
    mail_tls: 'none',
    mail_from: 'library@uni.example',
    podcast_feeds: true,
  });
});
afterAll(async () => {
  await service?.stop();
  await mail?.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (path: string) => `${service.baseUrl}${path}`;
const authorizeUrl = (params: Record<string, string> = {}) => {
  const redirect_uri = 'urn:ietf:wg:oauth:2.0:oob';
  const query = { response_type: 'code', client_id: service.clientId, redirect_uri, state: 's', ...PKCE, ...params };
  return at(`/api2/oauth/authorize?${new URLSearchParams(query)}`);
};

type Page = Awaited<ReturnType<FormBrowser['open']>>;

/** What a page shows beside the marked texts: values, which no language has. */
function unmarked({ html }: Page): string[] {
  const body = html.slice(html.indexOf('<body'));
  const labels = [...body.matchAll(/<button[^>]* aria-label="([^"]*)"/g)].map(([, label = '']) => label);
  const shown = [body.replace(/<script>[^<]*<\/script>|<option[\s\S]*?<\/option>/g, ''), ...labels].join('\n');
  const text = shown.replace(/<[^>]*>/g, '\n').replace(/⟦&#60;i&#62;[^⟦⟧]*(?:⟦[^⟧]*⟧[^⟦⟧]*)*⟧/g, '');
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function expectMarked(page: Page, name: string, values: readonly string[] = []): void {
  expect(page.html, name).toContain('<html lang="sv" dir="ltr">');
  expect(page.html, name).toContain('⟦');
  expect(page.html, name).not.toContain('<i>');
  expect(
    unmarked(page).filter((line) => !values.includes(line)),
    name,
  ).toEqual([]);
}

test('no sentence of a page is anywhere but in the file of its language, and every text is escaped', async () => {
  const admin = await clientFor(service);
  const browser = new FormBrowser('sv');
  const { email_address, password } = service.admin;
  const login = await browser.open(authorizeUrl());
  expectMarked(login, 'sign-in');
  expectMarked(await browser.submit(login, 'email_address', { email_address, password: 'wrong' }), 'wrong password');
  expectMarked(await new FormBrowser('sv').open(authorizeUrl({ client_id: 'nobody' })), 'unknown application');
  const consent = await browser.submit(login, 'email_address', { email_address, password });
  expectMarked(consent, 'consent');
  for (const decision of ['approve', 'deny']) {
    const end = await browser.submit(consent, 'decision', { decision });
    expect(end.html).toMatch(/<title>(?:Success code|Denied error)=/);
    expectMarked(end, decision, [/<code>(.*)<\/code>/.exec(end.html)?.[1] ?? '']);
  }
  expectMarked(await browser.open(at('/account')), 'account', ['Ada Admin', 'Mediadesk', email_address]);
  const account = await browser.open(at('/account?done=app'));
  const refused = await browser.submit(account, 'present', { present: 'x', password: 'y', again: 'z' });
  expectMarked(refused, 'refused password', ['Ada Admin', 'Mediadesk', email_address]);
  const people = await browser.open(at('/account/people'));
  const given = await browser.submit(people, 'first_name', {
    email_address: 'one@uni.example',
    first_name: 'One',
    last_name: 'One',
  });
  const link = /<code>([^<]*)<\/code>/.exec(given.html)?.[1] ?? '';
  expectMarked(given, 'link', [link]);
  const users = (await admin.get('/api2/users?per_page=100')).body.items as {
    email_address: string;
    display_name: string;
  }[];
  const names = users.flatMap((each) => [each.email_address, each.display_name]);
  expectMarked(await browser.open(at('/account/people')), 'people', names);
  const bad = await browser.submit(people, 'first_name', { email_address: 'x', first_name: '', last_name: '' });
  expectMarked(bad, 'refused invitation', names);
  const form = await new FormBrowser('sv').open(link);
  expectMarked(form, 'set password');
  const visitor = new FormBrowser('sv');
  expectMarked(await visitor.open(`${link}x`), 'dead link');
  const forgot = await visitor.open(at('/account/forgot'));
  expectMarked(forgot, 'forgot');
  expectMarked(await visitor.submit(forgot, 'email_address', { email_address: 'nobody@uni.example' }), 'asked');

  const shelf = (await admin.post('/api2/collections', { display_name: 'Shelf', parent_id: '1', is_podcast: true }))
    .body;
  await admin.post('/api2/collections', { display_name: 'Below', parent_id: shelf.id });
  const item = await admin.createItem('Tone', { collection_id: shelf.id });
  await admin.processed(await admin.upload(item, 'tone.wav', wav(1)));
  await admin.post(`${item}/publish`);
  const day = (await admin.get(item)).body.publish_on.slice(0, 10);
  expectMarked(await browser.open(at(`${item}/view`)), 'item', ['Tone', `${day} · 00:00:01`]);
  const embed = await browser.open(at(`${item}/embed`));
  expect(embed.html).toContain('<html lang="sv" dir="ltr">');
  expectMarked(await browser.open(at(shelf.links.view)), 'collection', ['Shelf', 'Below', 'Tone', `${day} · 00:00:01`]);
});

test('a page that does not exist is explained to people in their language, and to programs as before', async () => {
  for (const path of ['/watch/999999', '/embed/999999', '/browse/nothing', '/feeds/nothing']) {
    const page = await fetch(at(path), { headers: { accept: 'text/html,*/*;q=0.1', 'accept-language': 'sv' } });
    expect([page.status, page.headers.get('content-type')], path).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text(), path).toContain('⟦&#60;i&#62;This page doesn’t exist⟧');
    const answer = await fetch(at(path), { headers: { 'accept-language': 'sv' } });
    expect([answer.status, ((await answer.json()) as { message: string }).message], path).toEqual([
      404,
      expect.stringMatching(/^[A-Z][a-z ]+ not found\.$/),
    ]);
  }
});

test('the browser decides about the language, then the site, whose language mails have', async () => {
  const titleFor = async (language?: string) => {
    const { html } = await new FormBrowser(language).open(at('/account/sign-in'));
    return [/<html lang="([^"]*)"/.exec(html)?.[1], /<h1>([^<]*)<\/h1>/.exec(html)?.[1]];
  };
  expect(await titleFor('de-CH, en;q=0.5')).toEqual(['de', 'Anmelden']);
  expect(await titleFor('fr')).toEqual(['en', 'Sign in']);
  await service.control('PATCH', '/settings', { language: 'de' });
  expect(await titleFor('fr')).toEqual(['de', 'Anmelden']);
  expect(await titleFor()).toEqual(['de', 'Anmelden']);
  expect(await titleFor('en')).toEqual(['en', 'Sign in']);
  const browser = new FormBrowser('sv');
  await resetLinkFor(service.dataDir, service.admin.email_address);
  const forgot = await browser.open(at('/account/forgot'));
  await browser.submit(forgot, 'email_address', { email_address: service.admin.email_address });
  await expect.poll(() => mail.mails.length).toBe(1);
  expect(mail.mails[0]?.raw).toContain('Legen Sie hier Ihr Passwort fest:');
});

test('a start names everything that is wrong with language files and with the language of the site', async () => {
  const broken = mkdtempSync(join(tmpdir(), 'languages-broken-'));
  try {
    const { site: _site, ...rest } = english;
    writeFileSync(join(broken, 'fr.json'), JSON.stringify({ ...rest, sight: 'x' }));
    writeFileSync(join(broken, 'it.json'), '{');
    writeFileSync(join(broken, 'french please.json'), '{}');
    writeFileSync(join(broken, 'README.txt'), 'left alone');
    writeFileSync(join(broken, 'config'), JSON.stringify({ language: 'nl' }));
    const options = ['--languages', broken, '--config', join(broken, 'config')];
    const { code, stderr } = await runProgram('--data', join(broken, 'data'), '--port', 'x', ...options);
    expect(code).toBe(2);
    for (const part of [
      'fr.json can’t be used: unknown keys: "sight"',
      'fr.json can’t be used: missing keys: "site"',
      'it.json can’t be read',
      'french please.json must have the tag of a language as its name',
      'The setting language must be one of en, de',
      '--port must be a number',
    ])
      expect(stderr).toContain(part);
    expect(stderr).not.toContain('README');
    const none = await runProgram('--data', join(broken, 'data'), '--languages', join(broken, 'nowhere'));
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('The languages can’t be read')]);
  } finally {
    rmSync(broken, { recursive: true, force: true });
  }
});
