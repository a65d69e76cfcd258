import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Identity {
  key: string;
  cert: string;
}

/** A private certificate authority, made by the openssl command. */
export interface Authority {
  /** Its own certificate, as PEM. */
  cert: string;
  /** The path of that certificate. */
  file: string;
  /** Issues a certificate for a name or an IP address. It ends on a day of the past when `isExpired`. */
  issue(name: string, isExpired?: boolean): Identity;
  remove(): void;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates an authority with a subject such as `Example University CA`. */
export function createAuthority(subject: string): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-ca-'));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => void execFileSync('openssl', args, { stdio: 'pipe', cwd: folder });
  const file = path('ca.pem');
  openssl('req', '-x509', ...KEY, '-keyout', path('ca.key'), '-out', file, '-days', '2', '-subj', `/CN=${subject}`);
  return {
    cert: readFileSync(file, 'utf8'),
    file,
    issue(name, isExpired = false) {
      const kind = /^[\d.]+$/.test(name) ? 'IP' : 'DNS';
      openssl('req', '-new', ...KEY, '-keyout', path('key.pem'), '-out', path('request.pem'), '-subj', `/CN=${name}`);
      writeFileSync(path('extensions'), `subjectAltName=${kind}:${name}\nbasicConstraints=CA:FALSE\n`);
      const signing = ['-CA', file, '-CAkey', path('ca.key'), '-CAcreateserial', '-extfile', path('extensions')];
      const days = isExpired ? '-1' : '2';
      openssl('x509', '-req', '-in', path('request.pem'), '-out', path('cert.pem'), '-days', days, ...signing);
      return { key: readFileSync(path('key.pem'), 'utf8'), cert: readFileSync(path('cert.pem'), 'utf8') };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
