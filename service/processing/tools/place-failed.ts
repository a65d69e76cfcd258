/**
 * The work on a file broke off, and says nothing about the file: the drive of this computer is full, its temporary files are gone, a
 * tool can't be started, or the service does not take the result. The file is to be processed again.
 */
export class PlaceFailed extends Error {
  /** Whether the file may be the reason, as when the system killed a tool for want of memory: such work is not repeated for ever. */
  readonly isSuspect: boolean;

  constructor(message: string, { isSuspect = false }: { isSuspect?: boolean } = {}) {
    super(message);
    this.isSuspect = isSuspect;
  }
}

/** The errors of a system that has no room, no memory or no handles left, or whose drive fails. */
const OF_THE_SYSTEM: ReadonlySet<unknown> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ENOMEM', 'EMFILE', 'ENFILE', 'EAGAIN', 'EACCES', 'EPERM', 'ENOTDIR'],
]);

const OF_THE_NETWORK: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo', 'socket']);

/** Returns the failure of the computer that an error stands for; undefined for others. */
export function placeFailureOf(error: unknown): PlaceFailed | undefined {
  if (error instanceof PlaceFailed) return error;
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!OF_THE_SYSTEM.has(code) || OF_THE_NETWORK.has(syscall)) return undefined;
  return new PlaceFailed(error.message);
}
