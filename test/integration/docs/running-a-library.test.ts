// What docs/running-a-library.md offers to operators: the unit is checked by systemd, the configuration of nginx used by nginx, and the
// dashboard and the alarms are compared with the metrics of a service.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clientFor } from '../../helpers/service/service-client.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { wav } from '../../helpers/service/service-samples.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/running-a-library.md'), 'utf8');
const ROOT = resolve(import.meta.dirname, '../../..');
const NGINX = /```nginx\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'mediadesk-operator-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const has = (program: string, option: string) => spawnSync(program, [option]).status === 0;

describe.each(['media-library.service', 'media-library-worker.service'])('the unit file %s', (name) => {
  it.runIf(has('systemd-analyze', '--version'))('is accepted by systemd without a warning', () => {
    const packaged = readFileSync(join(ROOT, 'build/linux/service', name), 'utf8');
    // The program of this test stands for the one that the package installs, its user for the one that it creates, and its page for
    // the document in it.
    const unit = packaged
      .replace('/usr/bin/media-library', process.execPath)
      .replace('User=media-library', 'User=daemon')
      .replace(/^Documentation=.*$/m, `Documentation=file://${join(ROOT, 'docs/running-a-library.md')}`);
    const path = join(folder, name);
    writeFileSync(path, unit);
    expect(execFileSync('sh', ['-c', 'systemd-analyze verify "$1" 2>&1', 'sh', path], { encoding: 'utf8' })).toBe('');
  });
});

describe('the files for Grafana and Prometheus', () => {
  it('name only metrics that a service has', async () => {
    const service = await startService({ options: ['--operations', '127.0.0.1:0'] });
    try {
      await (await clientFor(service)).get('/api2/media');
      const text = await (await fetch(`${service.operationsUrl}/metrics`)).text();
      const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name ?? ''));
      const dashboard = readFileSync(join(ROOT, 'docs/operating/library-dashboard.json'), 'utf8');
      const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] };
      const alerts = readFileSync(join(ROOT, 'docs/operating/library-alerts.yml'), 'utf8');
      const used = [...(dashboard + alerts).matchAll(/\b(?:library|process)_\w+/g)].map(([name]) => name);
      const named = new Set(used.map((name) => name.replace(/_bucket$/, '')));
      expect([...named].filter((name) => !known.has(name))).toEqual([]);
      expect(panels.length).toBeGreaterThan(5);
      expect(panels.every(({ targets }) => targets.every(({ expr }) => expr.includes('job=~"$job"')))).toBe(true);
    } finally {
      await service.stop();
    }
  });

  it.runIf(has('promtool', '--version'))('are rules that Prometheus accepts', () => {
    const checked = spawnSync('promtool', ['check', 'rules', join(ROOT, 'docs/operating/library-alerts.yml')]);
    expect(checked.status, String(checked.stderr)).toBe(0);
  });
});

const hasNginx = has('nginx', '-v') && has('openssl', 'version') && has('curl', '--version');

describe.runIf(hasNginx)('behind nginx with TLS', { timeout: 120_000 }, () => {
  it('the service is reached by its public address, and receives an upload byte for byte', async () => {
    const port = await freePort();
    const publicUrl = `https://localhost:${port}`;
    const service = await startService({ publicUrl });
    const certificate = makeCertificate();
    const server = NGINX.replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('/etc/ssl/library.example.pem', certificate.path)
      .replace('/etc/ssl/private/library.example.key', certificate.key)
      .replace('server_name library.example', 'server_name localhost')
      .replace('http://127.0.0.1:8080', service.baseUrl);
    writeFileSync(join(folder, 'nginx.conf'), configuration(server));
    const nginx = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log')]);
    const curl = (...args: string[]) =>
      spawnSync(
        'curl',
        ['-sS', '--cacert', certificate.path, '--retry', '2', '--retry-connrefused', '--max-time', '10', ...args],
        {
          encoding: 'utf8',
        },
      );
    try {
      expect(curl('-o', '/dev/null', '-w', '%{http_code}', `${publicUrl}/api2/media`).stdout).toBe('401');
      const admin = await clientFor(service);
      const item = await admin.createItem('Through nginx');
      const bytes = wav(20);
      const recording = join(folder, 'recording.wav');
      writeFileSync(recording, bytes);
      const input = { upload_name: 'recording.wav', upload_size: bytes.length };
      const { body } = await admin.post(`${item}/files`, input);
      const { upload_url, upload_post_params, upload_file_param, postprocess_url } = body.upload.protocols.form_data;
      expect(upload_url.startsWith(`${publicUrl}/`)).toBe(true);
      const fields = Object.entries(upload_post_params).flatMap(([name, value]) => ['-F', `${name}=${value}`]);
      const sent = curl('-f', ...fields, '-F', `${upload_file_param}=@${recording}`, upload_url);
      expect(sent).toMatchObject({ status: 0, stderr: '' });
      expect(curl('-f', '-d', '', postprocess_url)).toMatchObject({ status: 0, stderr: '' });
      expect(await admin.processed(`${item}/files/${body.id}`)).toMatchObject({ status: 'complete' });
      const { location } = (await admin.get(`${item}/files/${body.id}/content?json`)).body;
      const received = join(folder, 'received.wav');
      expect(curl('-f', '-o', received, location)).toMatchObject({ status: 0, stderr: '' });
      expect(readFileSync(received).equals(bytes)).toBe(true);
    } finally {
      nginx.kill('SIGTERM');
      if (nginx.exitCode === null) await once(nginx, 'exit');
      await service.stop();
    }
  });
});

/** A configuration that writes only into the folder of the test, in the foreground, as one process. */
function configuration(server: string): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off; master_process off; pid ${folder}/nginx.pid;
events {}
http { access_log off; ${folders.join(' ')}
${server}}`;
}

function makeCertificate(): { path: string; key: string } {
  const [path, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const options = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...options, ...names, '-keyout', key, '-out', path], { stdio: 'ignore' });
  return { path, key };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
