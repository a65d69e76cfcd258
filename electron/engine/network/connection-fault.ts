/** Faults of a proxy, beside the codes of the system and of TLS. */
export type ProxyFaultCode =
  | 'PROXY_UNREACHABLE'
  | 'PROXY_SIGN_IN'
  | 'PROXY_REFUSED'
  | 'PROXY_NO_ANSWER_BEHIND'
  | 'PROXY_UNSUPPORTED';

/** What is known about a connection that was not established. */
export interface FaultFacts {
  /** Host and port of the proxy on the way. */
  proxy?: string;
  /** Host and port to which the proxy should have led. */
  host?: string;
  /** The status with which the proxy answered. */
  status?: number;
  /** Why the proxy could not be reached: a code of the system. */
  reason?: string;
  /** The ways to sign in that the proxy offers, when Mediadesk knows none of them. */
  schemes?: string;
  /** Whether the proxy refused the stored user name and password. */
  wasRefused?: boolean;
  /** The issuer of a certificate that is not trusted. */
  issuer?: string;
}

/** A proxy did not lead to the library. Nothing of the request was sent to the library. */
export class ProxyFault extends Error {
  override readonly name = 'ProxyFault';
  readonly code: ProxyFaultCode;
  readonly facts: FaultFacts;

  constructor(code: ProxyFaultCode, facts: FaultFacts) {
    super(code);
    this.code = code;
    this.facts = facts;
  }
}

const factsOfErrors = new WeakMap<Error, FaultFacts>();

/** Adds facts to an error of a connection. */
export function noteFacts(error: Error, facts: FaultFacts): void {
  factsOfErrors.set(error, { ...factsOfErrors.get(error), ...facts });
}

/** Returns the facts that are known about an error of a connection, or about the error that caused it. */
export function faultFactsOf(error: unknown): FaultFacts {
  if (!(error instanceof Error)) return {};
  if (error instanceof ProxyFault) return error.facts;
  return factsOfErrors.get(error) ?? (error.cause === undefined ? {} : faultFactsOf(error.cause));
}
