import { readFileSync } from 'node:fs';
import tls from 'node:tls';

/** Where Linux systems keep the certificate authorities that they trust, in one file. The first that exists counts. */
const LINUX_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

export interface SystemCertificates {
  /** Texts in PEM, each with one or more certificates. */
  texts: string[];
  /** Where those of the system are from: a path, or `system`; null: none were found. */
  source: string | null;
}

/** Older runtimes lack this function. */
type ReadCertificates = ((type: 'default' | 'system') => string[]) | undefined;

/**
 * Reads the certificate authorities that this program has, and those that the computer trusts. On Linux the file of the system is
 * read, because not every runtime reads it; `SSL_CERT_FILE` and `NODE_EXTRA_CA_CERTS` name other files.
 */
export function readSystemCertificates(platform: string, env: NodeJS.ProcessEnv): SystemCertificates {
  const read = (tls as { getCACertificates?: ReadCertificates }).getCACertificates;
  const bundled = read === undefined ? [...tls.rootCertificates, ...extra(env)] : read('default');
  if (platform === 'win32' || platform === 'darwin') {
    const system = read?.('system') ?? [];
    return { texts: [...bundled, ...system], source: system.length === 0 ? null : 'system' };
  }
  for (const path of [env.SSL_CERT_FILE ?? '', ...LINUX_FILES]) {
    const text = textOf(path);
    if (text !== null) return { texts: [...bundled, text], source: path };
  }
  return { texts: [...bundled], source: null };
}

function extra(env: NodeJS.ProcessEnv): string[] {
  const text = textOf(env.NODE_EXTRA_CA_CERTS ?? '');
  return text === null ? [] : [text];
}

/** Returns the text of a file; null for a file that is missing or can't be read. */
function textOf(path: string): string | null {
  if (path === '') return null;
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
