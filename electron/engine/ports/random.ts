/** Random bytes and identifiers that cannot be guessed. Injected, so that a test can repeat a run. */
export interface Random {
  bytes(length: number): Uint8Array;
  /** A UUID, version 4. */
  uuid(): string;
}
