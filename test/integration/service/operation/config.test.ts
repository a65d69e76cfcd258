import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LAB_SETTINGS } from '../../../../service/lab/lab-settings.ts';
import { DEFAULT_SETTINGS } from '../../../../service/site/settings.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, type ServiceStart, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';

const MAIN = fileURLToPath(new URL('../../../../service/lab-main.ts', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'library-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function configFile(content: unknown): string {
  files += 1;
  const path = join(folder, `config-${files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function start(options: ServiceStart): Promise<ServiceProcess> {
  const service = await startService(options);
  onTestFinished(() => service.stop());
  return service;
}

const DEFAULTS = { ...DEFAULT_SETTINGS, ...DEFAULT_LAB_SETTINGS };

const settingsOf = (service: ServiceProcess) => service.control('GET', '/settings');

describe('a configuration file', () => {
  test('sets everything that the control port can set', async () => {
    const settings = {
      ...DEFAULTS,
      read_only: true,
      dialect: 'strict',
      processing: { delay_ms: 5, outcome: 'error', tools: 'none', encode_up_to_bytes: 7 },
      access_token_s: 61,
      refresh_token_s: 62,
      code_s: 63,
      abandoned_minutes: 64,
      page_size: { default: 3, max: 4 },
      cors_origins: ['https://good.example'],
      personal_media_collection_id: '1',
      max_upload_bytes: 65,
      webhook_url: 'http://127.0.0.1:9/hook',
      webhook_secret: 'a secret of sixteen',
      clock_offset_ms: 66,
    };
    const service = await start({ config: configFile(settings) });
    expect(await settingsOf(service)).toEqual(settings);
    const admin = await clientFor(service);
    expect((await admin.post('/api2/media', { title: 'x' })).status).toBe(503);
    expect((await signIn(service)).expires_in).toBe(61);
  });

  test('sets only what it contains, and overrides the settings of an earlier run', async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const service = await start({ dataDir, config: configFile({ page_size: { max: 9 } }) });
    expect(await settingsOf(service)).toEqual({ ...DEFAULTS, page_size: { default: null, max: 9 } });
    await service.control('PATCH', '/settings', { page_size: { max: 5 }, code_s: 77 });
    await service.restart();
    expect(await settingsOf(service)).toMatchObject({ page_size: { max: 9 }, code_s: 77 });
  });

  test('is overridden by the command line', async () => {
    const service = await start({ dialect: 'lean', config: configFile({ dialect: 'strict' }) });
    expect(await settingsOf(service)).toMatchObject({ dialect: 'lean' });
  });

  test('registers clients and sets initial faults', async () => {
    const config = configFile({
      clients: [{ id: 'other', display_name: 'Other', redirect_uris: ['http://localhost/'] }],
      faults: [{ path: '^/api2/media$', action: { kind: 'status', status: 502 } }],
    });
    const service = await start({ config });
    const tokens = await signIn({ baseUrl: service.baseUrl, clientId: 'other', admin: service.admin });
    expect(tokens.token_type).toBe('Bearer');
    const admin = await clientFor(service);
    expect([(await admin.get('/api2/media')).status, (await admin.get('/api2/media')).status]).toEqual([502, 200]);
  });

  test.each([
    ['{', 'JSON'],
    [[], 'cannot be used'],
    [{ colour: 'red' }, 'colour'],
    [{ read_only: 'yes' }, 'read_only'],
    [{ processing: { delay: 1 } }, 'delay'],
    [{ clients: [{ id: 'x' }] }, 'redirect_uris'],
    [{ faults: [{ path: '(', action: { kind: 'delay', ms: 1 } }] }, 'regular expression'],
  ])('is reported on stderr, and the service exits with 2, when it contains %j', async (content, word) => {
    const { code, stdout, stderr } = await run(configFile(content));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('cannot be used');
    expect(stderr).toContain(word);
  });

  test('is reported on stderr, and the service exits with 2, when it does not exist', async () => {
    const { code, stderr } = await run(join(folder, 'nothing.json'));
    expect(code).toBe(2);
    expect(stderr).toContain('nothing.json');
  });
});

function run(config: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const args = [MAIN, '--data', join(folder, 'never'), '--config', config];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code as unknown as number) : 0, stdout, stderr });
    });
  });
}
