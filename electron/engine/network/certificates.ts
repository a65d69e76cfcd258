import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { TrustedCertificate } from '../../../shared/contract/network.ts';

/** A certificate authority that the user imported: `id` is its SHA-256 fingerprint. */
export const importedCertificateSchema = z.object({ id: z.string(), pem: z.string() });
export type ImportedCertificate = z.output<typeof importedCertificateSchema>;

export const MAX_FILE_BYTES = 1024 * 1024;
/** The limit for a file, and for all imported certificates together. */
const MAX_CERTIFICATES = 100;
/** An RSA key below this size is no longer accepted by any library of TLS. */
const SMALLEST_RSA_BITS = 2048;

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** Returns the certificates in a text as PEM, one text each. */
export function splitPem(text: string): string[] {
  const found: string[] = [];
  for (let from = text.indexOf(BEGIN); from !== -1; from = text.indexOf(BEGIN, from + BEGIN.length)) {
    const end = text.indexOf(END, from);
    if (end === -1) break;
    found.push(`${text.slice(from, end + END.length)}\n`);
  }
  return found;
}

/**
 * Reads the certificate authorities of a file: PEM with one or several certificates, or DER with one. Everything else in the file,
 * such as a private key, is left out. `now`: epoch ms. Throws `network.certificate-refused` with the reason; then the file has at
 * least one certificate that can't be trusted, and none of it is used.
 */
export function readAuthorities(bytes: Uint8Array, now: number): ImportedCertificate[] {
  if (bytes.length > MAX_FILE_BYTES) throw refused('The file is too large for certificates.', 'too-large');
  const blocks: (string | Buffer)[] = splitPem(Buffer.from(bytes).toString('latin1'));
  if (blocks.length === 0) blocks.push(Buffer.from(bytes));
  if (blocks.length > MAX_CERTIFICATES) throw refused('The file has too many certificates.', 'too-many');
  const byId = new Map(blocks.map((block) => readAuthority(block, now)).map((each) => [each.id, each]));
  return [...byId.values()];
}

/** Returns the imported certificates with those that were read. Throws `network.certificate-refused` when they are too many. */
export function withAuthorities(
  known: readonly ImportedCertificate[],
  read: readonly ImportedCertificate[],
): ImportedCertificate[] {
  const all = [...new Map([...known, ...read].map((each) => [each.id, each])).values()];
  if (all.length <= MAX_CERTIFICATES) return all;
  throw refused(`Mediadesk keeps at most ${MAX_CERTIFICATES} imported certificates. Remove some first.`, 'too-many');
}

function readAuthority(block: string | Buffer, now: number): ImportedCertificate {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(block);
  } catch {
    throw refused('The file isn’t a certificate.', 'unreadable');
  }
  const subject = nameOfSubject(certificate.subject);
  if (!certificate.ca) {
    throw refused(`The certificate of ${subject} isn’t that of a certificate authority.`, 'not-an-authority', subject);
  }
  if (Date.parse(certificate.validTo) <= now) {
    throw refused(`The certificate of ${subject} has expired.`, 'expired', subject);
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: key } = certificate.publicKey;
  if (type === 'rsa' && (key?.modulusLength ?? 0) < SMALLEST_RSA_BITS) {
    throw refused(`The key of ${subject} is too short to be safe.`, 'weak-key', subject);
  }
  return { id: certificate.fingerprint256, pem: certificate.toString() };
}

function refused(message: string, reason: string, subject?: string): AppError {
  return appError('network.certificate-refused', {
    message,
    details: { reason, ...(subject === undefined ? {} : { subject }) },
  });
}

/** Returns the facts of an imported certificate for lists. */
export function describeCertificate({ id, pem }: ImportedCertificate): TrustedCertificate {
  const certificate = new X509Certificate(pem);
  return {
    subject: nameOfSubject(certificate.subject),
    fingerprint: id,
    expiresAt: Date.parse(certificate.validTo),
  };
}

/** Returns a subject (`CN=…` and others, one a line) as one line: its name and its organization. */
function nameOfSubject(subject: string): string {
  const parts = subject.split('\n').map((line) => line.split('='));
  const textOf = (key: string) =>
    parts
      .find(([name]) => name === key)
      ?.slice(1)
      .join('=') ?? '';
  const words = [textOf('CN') || textOf('OU'), textOf('O')].filter((each) => each !== '');
  return words.length === 0 ? subject.replaceAll('\n', ', ') : [...new Set(words)].join(', ');
}
