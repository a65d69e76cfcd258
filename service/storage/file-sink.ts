import { type ByteWriter, openByteWriter } from './byte-writer.ts';
import { releaseBlock } from './release-block.ts';

/** Writes the bytes of one new file, in order. */
export interface FileSink {
  /** Opens the file. */
  begin(): void;
  /**
   * Writes a chunk, whose memory is freed afterwards. Returns false when the caller must send no further chunk until `onRoom`; this
   * chunk is kept.
   */
  write(chunk: Buffer): boolean;
  /** Resolves when everything is durable and the file is closed. */
  finish(): Promise<void>;
  /** Stops writing and closes the file. */
  abandon(): Promise<void>;
}

export interface SinkEvents {
  onRoom(): void;
  /** Called once, with the error of the storage. */
  onFail(error: unknown): void;
}

/** Writes to a new file on disk. `direct`: whether large files bypass the page cache. */
export function createFileSink(path: string, sizeBytes: number, direct: boolean, events: SinkEvents): FileSink {
  let writer: ByteWriter | undefined;
  let opening: Promise<void> | undefined;
  let isStopped = false;
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
      if (!writer) {
        early.push(chunk);
        return false;
      }
      return writer.write(chunk);
    },
    async finish() {
      await opening;
      if (!isStopped) await writer?.finish();
    },
    async abandon() {
      isStopped = true;
      early = [];
      await opening?.catch(() => {});
      await writer?.abandon();
    },
  };
}
