import { type ByteWriter, openByteWriter } from '../storage/byte-writer.ts';
import { releaseBlock } from '../storage/release-block.ts';
import { badRequest, type Problem } from '../wire/problem.ts';

/** Writes the bytes of one file to a new file on disk. */
export interface FileSink {
  /** Opens the file. */
  begin(): void;
  /**
   * Writes a chunk, whose memory is freed afterwards. More bytes than the declared size are a failure. Returns false when the
   * caller must send no further chunk until `onRoom`; this chunk is kept.
   */
  write(chunk: Buffer): boolean;
  /** Resolves with the number of bytes when they are on disk and the file is closed. */
  finish(): Promise<number>;
  /** Stops writing and closes the file. */
  abandon(): Promise<void>;
}

export interface SinkEvents {
  onRoom(): void;
  /** Called once: with a `Problem` when the file is too long, otherwise with the error of the disk. */
  onFail(error: unknown): void;
}

export function sizeProblem(expected: number, received: number | 'more'): Problem {
  return badRequest(`The upload must have ${expected} bytes; it has ${received}.`);
}

export function createFileSink(path: string, sizeBytes: number, direct: boolean, events: SinkEvents): FileSink {
  let writer: ByteWriter | undefined;
  let opening: Promise<void> | undefined;
  let isStopped = false;
  let received = 0;
  /** The chunks that arrived before the file was open. They are few, because `write` returned false. */
  let early: Buffer[] = [];

  function fail(error: unknown): void {
    if (isStopped) return;
    isStopped = true;
    events.onFail(error);
  }

  async function open(): Promise<void> {
    const opened = await openByteWriter(path, sizeBytes, direct, {
      onRoom: events.onRoom,
      onFail: fail,
      onTaken: releaseBlock,
    });
    writer = opened;
    if (isStopped) return;
    const chunks = early;
    early = [];
    let hasRoom = true;
    for (const chunk of chunks) hasRoom = opened.write(chunk);
    if (hasRoom) events.onRoom();
  }

  return {
    begin() {
      opening = open();
      opening.catch(fail);
    },
    write(chunk) {
      if (isStopped) return true;
      received += chunk.length;
      if (received > sizeBytes) {
        fail(sizeProblem(sizeBytes, 'more'));
        return true;
      }
      if (!writer) {
        early.push(chunk);
        return false;
      }
      return writer.write(chunk);
    },
    async finish() {
      await opening;
      if (!isStopped) await writer?.finish();
      return received;
    },
    async abandon() {
      isStopped = true;
      early = [];
      await opening?.catch(() => {});
      await writer?.abandon();
    },
  };
}
