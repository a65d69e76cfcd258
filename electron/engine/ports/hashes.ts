import { createHash } from 'node:crypto';

/** The SHA-256 of a stream of bytes, which arrive in blocks of memory. */
export interface StreamHash {
  /** The number of blocks with which reading, hashing and sending are busy at the same time. */
  readonly blocks: number;
  /**
   * Adds the first `length` bytes of `block`. The hash owns the block until the promise resolves; the result holds the
   * same bytes, belongs to the caller again, and replaces `block`. Rejects with `HashLost`.
   */
  add(block: ArrayBuffer, length: number): Promise<ArrayBuffer>;
  /** Returns the hash of all added bytes, in lower-case hex. Rejects with `HashLost`. */
  digest(): Promise<string>;
  /** Frees the memory of the hash. Must be called once, also after `digest`. */
  end(): void;
}

/** Computes hashes of streams. */
export interface Hashes {
  /** Starts the hash of a stream of `sizeBytes` bytes. */
  begin(sizeBytes: number): StreamHash;
}

/**
 * The thread that computed a hash ended or stalled, and the state of the hash is lost. A new hash does not fail for this reason.
 */
export class HashLost extends Error {
  override name = 'HashLost';
}

/** Computes hashes in the calling thread. */
export const inlineHashes: Hashes = { begin: () => inlineHash() };

function inlineHash(): StreamHash {
  const hash = createHash('sha256');
  return {
    blocks: 2,
    async add(block, length) {
      hash.update(new Uint8Array(block, 0, length));
      return block;
    },
    digest: async () => hash.digest('hex'),
    end: () => {},
  };
}
