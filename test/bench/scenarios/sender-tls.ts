// One file over TLS: our sender and curl -F into the same sink, which is the bottleneck and the same for both.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNativeTools } from '../native-tools.ts';
import { alternate, curl, GIB, hasCurl, isQuick, pairedRatio, sender, sparseFile, speedOf } from '../peers.ts';
import { atLeast, figure, type Row, report } from '../report.ts';

const sizeBytes = (isQuick ? 0.25 : 1) * GIB;
const rounds = 5;

const folder = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });

const tools = openNativeTools();
const file = sparseFile(sizeBytes);
const sink = spawn(process.execPath, [join(import.meta.dirname, '..', 'workers', 'tls-sink.ts'), key, cert], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [port] = (await once(sink.stdout, 'data')) as [Buffer];
  const url = new URL(`https://127.0.0.1:${port.toString().trim()}/drop`);
  const peers = [sender(tools, url, file.path, '--trust', cert)];
  if (hasCurl()) peers.push(curl(tools, url, file.path, '--cacert', cert));
  const found = await alternate(peers, rounds);
  const rows: Row[] = peers.map(({ name }) => figure(`${name}: throughput`, speedOf(found, name, sizeBytes), 'MiB/s'));
  if (hasCurl()) {
    rows.push(atLeast('throughput, sender : curl', pairedRatio(found, 'curl -F', 'sender', 'seconds'), 0.85));
    rows.push(figure('CPU per GiB, sender : curl', pairedRatio(found, 'sender', 'curl -F', 'cpuSeconds'), '', 2));
  }
  report({ scenario: 'sender-tls', about: `${sizeBytes / GIB} GiB over loopback TLS, sink in Node`, rows });
} finally {
  sink.kill();
  tools.close();
  file.remove();
  rmSync(folder, { recursive: true });
}
