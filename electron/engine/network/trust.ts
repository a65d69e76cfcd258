import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { SystemCertificates } from '../ports/system/system-certificates.ts';
import { splitPem } from './certificates.ts';

/** The certificate authorities that all connections of the engine trust. */
export class Trust {
  readonly #readSystem: () => SystemCertificates;
  readonly #imported: () => readonly string[];
  #context: SecureContext | null = null;

  /** `imported`: the certificates of the user, as PEM. Nothing is read before the first encrypted connection. */
  constructor(readSystem: () => SystemCertificates, imported: () => readonly string[]) {
    this.#readSystem = readSystem;
    this.#imported = imported;
  }

  /** The context of new connections. It takes tens of milliseconds to create, so all connections share it. */
  context(): SecureContext {
    this.#context ??= contextOf([...this.#readSystem().texts.flatMap(splitPem), ...this.#imported()]);
    return this.#context;
  }

  /** The imported certificates changed: later connections trust the present ones. */
  reset(): void {
    this.#context = null;
  }
}

function contextOf(all: readonly string[]): SecureContext {
  const ca = [...new Set(all.map((pem) => pem.trim()))];
  // An imported certificate may be that of an intermediate authority.
  const create = (trusted: string[]) => createSecureContext({ ca: trusted, allowPartialTrustChain: true });
  try {
    return create(ca);
  } catch {
    // A file of the system can contain a certificate that this runtime can't read; the others stay trusted.
    return create(ca.filter(isReadable));
  }
}

function isReadable(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
