import type { FormField } from '../../../../../shared/api/form-fields.ts';
import type { ConnectionPool } from '../../../network/connections.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { FileFacts, OpenFile } from '../../../ports/files.ts';
import type { Random } from '../../../ports/random.ts';
import type { SendGate } from './send-gate.ts';

export interface SendTiming {
  /** How long to wait for the destination's go-ahead before sending anyway. */
  continueTimeoutMs: number;
  /** A transfer without progress for this long is stalled. Pauses don't count. */
  stallMs: number;
  /** How long the destination may take to answer after the last byte. */
  answerTimeoutMs: number;
}

export const DEFAULT_TIMING: SendTiming = { continueTimeoutMs: 1000, stallMs: 60_000, answerTimeoutMs: 300_000 };

/** Where the sender gets its connections from. */
export interface SenderConnections {
  /** Reused for the next file. */
  kept: Pick<ConnectionPool, 'agentFor' | 'faultOfAnswer'>;
  /** Each used for one form only. */
  fresh: Pick<ConnectionPool, 'agentFor' | 'faultOfAnswer'>;
}

export interface SendFormOptions {
  /** The destination of the form. It can be on any host, so it never gets credentials of the account. */
  url: URL;
  fields: readonly FormField[];
  fileParam: string;
  fileName: string;
  contentType: string;
  file: OpenFile;
  /** The facts that the upload was planned with; the file must still agree at the end. */
  expected: Pick<FileFacts, 'sizeBytes' | 'mtimeMs'>;
  /** Whether the SHA-256 of the bytes is computed as they are sent. */
  hash: boolean;
  /** Pause and bandwidth limit. */
  gate: SendGate;
  /** Aborting ends the transfer at once; the returned promise rejects with the signal's reason. */
  signal: AbortSignal;
  /** Called after every write with the bytes of the file that the kernel has accepted so far; 0 when a redirect restarts it. */
  onProgress(sentBytes: number): void;
  /**
   * Called with the SHA-256 of the whole file before the last boundary is sent: until then the destination can't accept the form.
   */
  onHashed?(sha256: string): void;
  /** Called when all bytes are sent, before the answer has arrived. */
  onAllSent?(): void;
  clock: Clock;
  random: Random;
  connections: SenderConnections;
  timing?: Partial<SendTiming>;
}

export interface SendResult {
  /** 2xx, or a redirect to a page to show next: the destination says that it has the file. The library confirms it. */
  status: number;
  /** Lower-case hex; null when it was not requested. */
  sha256: string | null;
}

/**
 * Sends one file as form-data: exact Content-Length, extra fields first, the file last, at most a few blocks of it in
 * memory. It asks the destination before it sends a large file (`Expect: 100-continue`), so that a refusal costs no
 * gigabytes.
 *
 * 307 and 308 are followed (see `redirectTarget`): the whole form is sent again to the new address.
 *
 * Throws `AppError`: `upload.refused`, `upload.destination-lost` (404, 410, or expired: see `isExpired`), `api.server-error`,
 * `upload.stalled`, `upload.connection-lost`, `upload.not-received`, `network.unreachable`, `network.timed-out`, `network.tls`, `network.proxy-…`,
 * `file.changed`, `file.missing`, `file.unreadable`; or `HashLost`; or the signal's reason. `details.sentBytes` is the number of
 * bytes of the file that were sent.
 */
export type SendForm = (options: SendFormOptions) => Promise<SendResult>;
