import { createCounters, keyOf, networkOf, type Rule } from './failure-counters.ts';

/**
 * Refusals of one network before it has to wait: more than for passwords, because many computers behind one address can have
 * expired tokens at the same time, and a token has too many values to be guessed. A wait of at most a minute also keeps someone
 * who guesses on purpose from shutting out the others behind the same address.
 */
const NETWORK: Rule = { free: 60, baseMs: 1000, leakMs: 60_000, maxDelayMs: 60_000 };

/** Slows down the guessing of codes, refresh tokens and client ids at the token endpoint. */
export interface TokenLimit {
  /** Returns the milliseconds that this IP address has to wait; 0: it may try now. */
  waitMs(address: string, nowMs: number): number;
  /** Reports that a code, a token or a client id of this address was refused. */
  refused(address: string, nowMs: number): void;
}

export function createTokenLimit(): TokenLimit {
  const networks = createCounters();
  const keyOfNetwork = (address: string) => keyOf(networkOf(address));
  return {
    waitMs: (address, nowMs) => networks.waitMs(keyOfNetwork(address), NETWORK, nowMs),
    refused: (address, nowMs) => networks.add(keyOfNetwork(address), NETWORK.leakMs, nowMs),
  };
}
