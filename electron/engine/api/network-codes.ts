/** What an error code of the system, of TLS or of the HTTP parser says about a connection. */
export type NetworkCodeKind =
  /** No connection came about. */
  | 'unreachable'
  /** There was a connection, and it broke. */
  | 'lost'
  | 'timed-out'
  /** The other side could not be trusted, or no encryption came about. */
  | 'tls'
  /** It spoke, but not HTTP. */
  | 'malformed'
  /** None of these: a fault of our own. */
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
/** Of Node and of OpenSSL, whose verdicts about certificates come under their own names. */
const TLS =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|ERROR_IN_(CERT|CRL)_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|EMAIL_MISMATCH$|IP_ADDRESS_MISMATCH$|INVALID_(CA|PURPOSE|NON_CA)$|PATH_LENGTH_EXCEEDED$|EPROTO$)/;
/** The connection failed before any certificate was checked. */
const NO_TLS = /^(ERR_SSL_|ERR_OSSL_|EPROTO$)/;
/** What the HTTP parser and the decompressor could make nothing of. */
const MALFORMED = /^(HPE_|Z_|ERR_HTTP|ERR__ERROR_FORMAT|ERR_READING_RESPONSE|ERR_CONTENT_LENGTH)/;

/**
 * Systems have more names for a broken network than any list: whatever else looks like the system's (`ENONET`, `EPERM` of
 * a firewall, `EAI_…` of a name server) means that no connection came about.
 */
export function kindOfNetworkCode(code: string): NetworkCodeKind {
  if (TIMED_OUT.has(code)) return 'timed-out';
  if (LOST.has(code)) return 'lost';
  if (TLS.test(code)) return 'tls';
  if (MALFORMED.test(code)) return 'malformed';
  return /^E(AI_[A-Z]+|[A-Z0-9]+)$/.test(code) ? 'unreachable' : 'unknown';
}

/** Whether a TLS code says that no encryption came about at all, rather than that a certificate is not trusted. */
export function isNoTls(code: string): boolean {
  return NO_TLS.test(code);
}
