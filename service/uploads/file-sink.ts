import { type ByteWriter, openByteWriter } from '../storage/byte-writer.ts';
import { badRequest, type Problem } from '../wire/problem.ts';
import { doneWith } from './young-buffers.ts';

/** Takes the bytes of one file to a new file on the disk. */
export interface FileSink {
  /** Opens the file. */
  begin(): void;
  /** Takes more, at most the agreed size in all. False asks to send no more until `onRoom`; what is sent is kept. */
  write(chunk: Buffer): boolean;
  /** Resolves with the bytes of the file when they are on the disk and it is closed. */
  finish(): Promise<number>;
  /** Stops writing and closes the file. */
  abandon(): Promise<void>;
}

export interface SinkEvents {
  onRoom(): void;
  /** Once, with a `Problem` when the file is too long, or what the disk said. */
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
  /** What came before the file was open: the rest of one chunk. */
  let early: Buffer[] = [];

  function fail(error: unknown): void {
    if (isStopped) return;
    isStopped = true;
    events.onFail(error);
  }

  async function open(): Promise<void> {
    const opened = await openByteWriter(path, sizeBytes, direct, { onRoom: events.onRoom, onFail: fail });
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
      const hasRoom = writer.write(chunk);
      doneWith(chunk.length);
      return hasRoom;
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
