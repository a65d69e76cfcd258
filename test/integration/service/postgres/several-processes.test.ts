import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../../helpers/service/service-accounts.ts';
import { clientWith, type ServiceClient, sendForm } from '../../../helpers/service/service-client.ts';
import { startService } from '../../../helpers/service/service-process.ts';
import { wav } from '../../../helpers/service/service-samples.ts';
import { FormBrowser, signIn } from '../../../helpers/service/service-sign-in.ts';
import { type Institution, missingPackages, startInstitution } from '../../../institution/institution.ts';

describe.skipIf(missingPackages().length > 0)('two processes of one library', () => {
  let institution: Institution;
  /** The administrator, through each process. */
  let one: ServiceClient;
  let other: ServiceClient;
  beforeAll(async () => {
    institution = await startInstitution({ processes: 2, workers: 0, seed: 'empty' });
    const { baseUrl, clientId, admin, services } = institution;
    const tokens = await signIn({ baseUrl, clientId, admin }, { email: admin.email_address, password: admin.password });
    [one, other] = services.map((service) => clientWith(service, tokens)) as [ServiceClient, ServiceClient];
  }, 180_000);
  afterAll(() => institution?.stop(), 120_000);

  const both = <T>(work: (client: ServiceClient) => Promise<T>) => Promise.all([work(one), work(other)]);
  const created = async (client: ServiceClient, path: string, body: object) => {
    const answer = await client.post(path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  };
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'library-third-'));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };
  const password = 'a long password of the second';
  const collection = (display_name: string, parent_id = '1') => ({ display_name, parent_id, description: '' });

  test('show what the other has created, at once', async () => {
    for (let n = 0; n < 20; n += 1) {
      const [from, to] = n % 2 === 0 ? [one, other] : [other, one];
      const made = await created(from, '/api2/collections', collection(`At once ${n}`));
      expect((await to.get(made.location)).status).toBe(200);
      const id = made.location.split('/').at(-1);
      const item = await created(to, '/api2/media', { title: `Item ${n}`, collection_id: id });
      const listed = await from.get(`/api2/media?collection_id=${id}`);
      expect(listed.body.items.map((each: { title: string }) => each.title)).toEqual([`Item ${n}`]);
      expect((await from.get(item.location)).status).toBe(200);
    }
  });

  test('never give one slug to two collections of the same name', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `Same ${n}`);
    const made = await Promise.all(
      names.map((name) => both((client) => created(client, '/api2/collections', collection(name)))),
    );
    const slugs = await Promise.all(made.flat().map(async ({ location }) => (await one.get(location)).body.slug));
    expect(new Set(slugs).size).toBe(20);
  });

  test('never make a collection its own ancestor by two moves', async () => {
    for (let n = 0; n < 10; n += 1) {
      const [a, b] = await both((client) => created(client, '/api2/collections', collection(`Branch ${n}`)));
      const [idA, idB] = [a, b].map(({ location }) => location.split('/').at(-1));
      await Promise.all([
        one.post(`${a.location}/move`, { new_parent_id: idB }),
        other.post(`${b.location}/move`, { new_parent_id: idA }),
      ]);
      const parents = await Promise.all([a, b].map(async ({ location }) => (await one.get(location)).body.parent_id));
      expect(parents).not.toEqual([idB, idA]);
    }
  });

  test('give one e-mail address to one of two new users', async () => {
    const user = { is_admin: false, first_name: 'A', last_name: 'B', email_address: 'twice@library.example' };
    const statuses = (await both((client) => client.post('/api2/users', user))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409]);
  });

  test('have a tag once that both add to an item at the same time', async () => {
    const item = await created(one, '/api2/media', { title: 'Tagged', collection_id: '1' });
    await both((client) => client.post(`${item.location}/add-tags`, { tags: ['both'] }));
    const tags = (await one.get('/api2/tags?per_page=100')).body.items.filter(
      (tag: { display_name: string }) => tag.display_name === 'both',
    );
    expect(tags).toHaveLength(1);
  });

  test('have every one of many edits of the same item', async () => {
    const item = await created(one, '/api2/media', { title: 'Edited', collection_id: '1' });
    const edits = Array.from({ length: 20 }, (_, n) =>
      (n % 2 === 0 ? one : other).post(`${item.location}/add-tags`, { tags: [`edit ${n}`] }),
    );
    expect((await Promise.all(edits)).map(({ status }) => status < 300)).not.toContain(false);
    expect((await one.get(item.location)).body.tags).toHaveLength(20);
  });

  test('refuse nothing that 50 clients create, edit and upload at the same time', async () => {
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const [from, to] = n % 2 === 0 ? [one, other] : [other, one];
        const item = await created(from, '/api2/media', { title: `Many ${n}`, collection_id: '1' });
        await created(to, item.location, { byline: `By ${n}` });
        // Fails unless each request of it succeeds.
        await from.upload(item.location, `many ${n}.bin`, Buffer.from(`many ${n}`));
        await created(to, item.location, { byline: `By ${n} again` });
      }),
    );
    const listed = await one.get('/api2/media?search=again&per_page=100');
    expect(listed.body.items).toHaveLength(50);
  });

  test('take the bytes, the completion and the reading of one upload in different processes', async () => {
    const item = await created(one, '/api2/media', { title: 'Upload', collection_id: '1' });
    const bytes = wav(1);
    const file = await created(other, `${item.location}/files`, { upload_name: 'a.wav', upload_size: bytes.length });
    const through = (url: string, client: number) =>
      url.replace(institution.baseUrl, institution.services[client]?.baseUrl ?? '');
    const { form_data } = file.body.upload.protocols;
    const upload = { protocols: { form_data: { ...form_data, upload_url: through(form_data.upload_url, 0) } } };
    expect((await sendForm(upload, 'a.wav', bytes)).status).toBeLessThan(400);
    const completed = await fetch(through(form_data.postprocess_url, 1), {
      method: 'POST',
      body: new URLSearchParams(),
    });
    expect(completed.status).toBe(204);
    const again = await fetch(through(form_data.postprocess_url, 0), { method: 'POST', body: new URLSearchParams() });
    expect(again.status).toBe(204);
    const content = await one.get(`${file.location}/content?json`);
    expect(Buffer.from(await (await fetch(content.body.location)).arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('count failed sign-ins together', async () => {
    const attempts = Array.from({ length: 16 }, async (_, n) => {
      const browser = new FormBrowser();
      const form = await browser.open(`${institution.services[n % 2]?.baseUrl}/account`);
      const wrong = { email_address: 'guessed@library.example', password: 'wrong' };
      return (await browser.submit(form, 'email_address', wrong)).response.status;
    });
    const statuses = await Promise.all(attempts);
    // Each process alone would admit five; some more may be admitted when it takes longer than the wait.
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(8);
    expect(statuses).toContain(429);
  });

  test('apply a setting that one of them has got', async () => {
    const [first, second] = institution.services;
    await first?.control('PATCH', '/settings', { read_only: true });
    const refused = await other.post('/api2/media', { title: 'Refused', collection_id: '1' });
    await second?.control('PATCH', '/settings', { read_only: false });
    expect(refused.status).toBe(503);
    expect((await one.post('/api2/media', { title: 'Accepted', collection_id: '1' })).status).toBe(201);
  });

  test('refuse a third one that has its content on its own drive', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'url'), institution.postgres.address('library1'));
    writeFileSync(join(dir, 'config.json'), JSON.stringify({ database: { url_file: join(dir, 'url') } }));
    const third = startService({ dataDir: join(dir, 'data'), config: join(dir, 'config.json') });
    await expect(third).rejects.toThrow('Another process uses this database');
  });

  test('obey a command of operators from a computer without a data folder', async () => {
    const user = { is_admin: false, first_name: 'A', last_name: 'B', email_address: 'gone@library.example', password };
    await created(one, '/api2/users', user);
    const { baseUrl, clientId, admin, services, config } = institution;
    const tokens = await signIn({ baseUrl, clientId, admin }, { email: user.email_address, password });
    const statuses = () =>
      Promise.all(
        services.map((service) => clientWith(service, tokens).get('/api2/media')).map(async (a) => (await a).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    const elsewhere = ['--data', join(tmpdir(), 'nowhere'), '--config', config];
    expect((await runProgram('deactivate', ...elsewhere, user.email_address)).code).toBe(0);
    expect(await statuses()).toEqual([401, 401]);
    const { stdout } = await runProgram('audit', ...elsewhere, '--actor', 'system');
    expect(stdout).toContain('gone@library.example');
  });

  test('are a reason for a command that needs the library alone to say that they run', async () => {
    const { stdout, code } = await runProgram(
      'move-database',
      '--data',
      folder(),
      '--from',
      institution.config,
      '--json',
    );
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'move.in-use']);
  });

  // The last one: afterwards, one of the two accounts has no rights.
  test('keep one administrator when two take the right from each other', async () => {
    const { baseUrl, clientId, admin, services } = institution;
    const account = {
      is_admin: true,
      first_name: 'A',
      last_name: 'B',
      email_address: 'second@library.example',
      password,
    };
    const made = await created(one, '/api2/users', account);
    const tokens = await signIn({ baseUrl, clientId, admin }, { email: account.email_address, password });
    const second = clientWith({ baseUrl: services[1]?.baseUrl ?? '' }, tokens);
    const answers = await Promise.all([
      one.post(made.location, { is_admin: false }),
      second.post('/api2/users/1', { is_admin: false }),
    ]);
    expect(answers.map(({ status }) => status < 300).sort()).toEqual([false, true]);
  });
});
