import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether the openssl command, which creates the certificates, is installed; without it their tests are skipped. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A self-signed certificate for one name, valid for this number of days from today. */
export function certificate(name: string, days = 2): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const kind = /^[\d.]+$/.test(name) ? 'IP' : 'DNS';
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${kind}:${name}`];
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync('openssl', [...args, '-keyout', key, '-out', cert, '-days', String(days), ...subject], {
      stdio: 'pipe',
    });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
