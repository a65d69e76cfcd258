import { createWriteStream, type WriteStream } from 'node:fs';
import { terminalJson } from '../../shared/api/terminal-text.ts';
import type { RequestFacts, RequestObserver } from '../site/observer.ts';

/** Bytes that may wait for a slow drive; further lines are dropped and counted. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** After an error the file is opened again when this time has passed and a line waits. */
const RETRY_AFTER_MS = 5000;
/** Lines are written together: a write of each would cost more than all else that the log does. */
const FLUSH_AFTER_MS = 100;

/** One line of the request log. */
export interface RequestLine {
  time: string;
  request_id: string | null;
  method: string;
  /** The template of the route; only when no route has the path, the beginning of the path. */
  route: string;
  status: number | null;
  ms: number;
  received_bytes: number;
  sent_bytes: number;
  user_id: string | null;
}

/**
 * Returns the line of a request. It has no query, no body, no header and no name of a file: a route is a template.
 */
export function requestLine(facts: RequestFacts, time: string): RequestLine {
  return {
    time,
    request_id: facts.id,
    method: facts.method,
    route: facts.route ?? facts.path ?? '',
    status: facts.status,
    ms: Math.round(facts.durationMs * 10) / 10,
    received_bytes: facts.receivedBytes,
    sent_bytes: facts.sentBytes,
    user_id: facts.userId === null ? null : String(facts.userId),
  };
}

export interface RequestLog {
  observe: RequestObserver;
  /** Closes the file and opens it again by its name, after another program has moved it away. */
  reopen(): void;
  /** Lines that could not be written. */
  dropped(): number;
  /** Resolves when all lines are written. */
  close(): Promise<void>;
}

/** Creates a request log that appends to a file; a new file is private to its owner. A drive that fails or is slow costs lines, never a request. */
export function openRequestLog(
  file: string,
  onFail: (code: string) => void,
  now: () => number = () => performance.now(),
): RequestLog {
  let dropped = 0;
  /** When the drive failed; undefined while it works. `onFail` is called once for each time that it fails. */
  let failedAt: number | undefined;
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let stream = open();

  function open(): WriteStream {
    const opened = createWriteStream(file, { flags: 'a', mode: 0o600 });
    opened.on('error', (error: NodeJS.ErrnoException) => {
      if (failedAt === undefined) onFail(error.code ?? error.name);
      failedAt = now();
    });
    return opened;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    // A write that failed may have ended within a line.
    const text = `${failedAt === undefined ? '' : '\n'}${lines.join('')}`;
    const count = lines.length;
    lines = [];
    if (count === 0) return;
    const drop = () => {
      dropped += count;
    };
    if (stream.destroyed && failedAt !== undefined && now() - failedAt >= RETRY_AFTER_MS) stream = open();
    if (stream.destroyed || stream.writableLength > MAX_WAITING_BYTES) drop();
    else {
      stream.write(text, (error) => {
        if (error) drop();
        else failedAt = undefined;
      });
    }
  }

  return {
    observe(facts) {
      lines.push(`${terminalJson(requestLine(facts, new Date().toISOString()))}\n`);
      timer ??= setTimeout(flush, FLUSH_AFTER_MS);
    },
    reopen() {
      flush();
      stream.end();
      stream = open();
    },
    dropped: () => dropped,
    close() {
      flush();
      return new Promise((resolve) => {
        if (stream.destroyed) resolve();
        else stream.once('close', () => resolve()).end();
      });
    },
  };
}

/** Creates a request log that passes its lines to `print`. */
export function printRequestLog(print: (line: RequestLine) => void): RequestLog {
  return {
    observe: (facts) => print(requestLine(facts, new Date().toISOString())),
    reopen: () => {},
    dropped: () => 0,
    close: () => Promise.resolve(),
  };
}
