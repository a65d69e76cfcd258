/** The meaning of an error code of the system, of TLS or of the HTTP parser for a connection. */
export type NetworkCodeKind =
  /** The connection was not established. */
  | 'unreachable'
  /** The connection was established, and then broke. */
  | 'lost'
  | 'timed-out'
  /** The peer is not trusted, or encryption failed. */
  | 'tls'
  /** The proxy on the way did not lead to the peer: a `ProxyFaultCode`. */
  | 'proxy'
  /** The peer does not answer in HTTP. */
  | 'malformed'
  /** None of these: a bug of ours. */
  | 'unknown';

const LOST = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'ENETRESET',
  'ENOTCONN',
  'EPIPE',
  'ESHUTDOWN',
  'ECANCELED',
  'ERR_SOCKET_CLOSED',
  'ERR_SOCKET_CLOSED_BEFORE_CONNECTION',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);
const TIMED_OUT = new Set([
  'ETIMEDOUT',
  'ETIMEOUT',
  'ESOCKETTIMEDOUT',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
]);
/** Codes of Node and of OpenSSL; certificate errors have their own codes. */
const TLS =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|ERROR_IN_(CERT|CRL)_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|EMAIL_MISMATCH$|IP_ADDRESS_MISMATCH$|INVALID_(CA|PURPOSE|NON_CA)$|PATH_LENGTH_EXCEEDED$|EPROTO$)/;
/** The connection failed before a certificate was checked. */
const NO_TLS = /^(ERR_SSL_|ERR_OSSL_|EPROTO$)/;
/** Errors of the HTTP parser and of decompression. */
const MALFORMED = /^(HPE_|Z_|ERR_HTTP|ERR__ERROR_FORMAT|ERR_READING_RESPONSE|ERR_CONTENT_LENGTH)/;

/**
 * Returns the kind of a network error by its code. Systems have more codes than any list: every other code in the form of a
 * system error (`ENONET`, `EPERM` of a firewall, `EAI_…` of a name server) means that the connection was not established.
 */
export function kindOfNetworkCode(code: string): NetworkCodeKind {
  if (code.startsWith('PROXY_')) return 'proxy';
  if (TIMED_OUT.has(code)) return 'timed-out';
  if (LOST.has(code)) return 'lost';
  if (TLS.test(code)) return 'tls';
  if (MALFORMED.test(code)) return 'malformed';
  return /^E(AI_[A-Z]+|[A-Z0-9]+)$/.test(code) ? 'unreachable' : 'unknown';
}

/** Why a connection with TLS failed, as far as a user can do something about it. */
export type TlsFault = 'no-encryption' | 'unknown-issuer' | 'expired' | 'not-yet-valid' | 'other-name';

const FAULT_OF: Readonly<Record<string, TlsFault>> = {
  UNABLE_TO_GET_ISSUER_CERT: 'unknown-issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown-issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown-issuer',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown-issuer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unknown-issuer',
  CERT_UNTRUSTED: 'unknown-issuer',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other-name',
  HOSTNAME_MISMATCH: 'other-name',
  IP_ADDRESS_MISMATCH: 'other-name',
};

/** Returns the fault that a TLS code stands for; null for other faults of a certificate. */
export function tlsFault(code: string): TlsFault | null {
  return NO_TLS.test(code) ? 'no-encryption' : (FAULT_OF[code] ?? null);
}
