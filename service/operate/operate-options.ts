/** What an operator asks for at the start. Without it, the service only serves the library. */
export interface OperateOptions {
  /** Where `live`, `ready`, `metrics` and `snapshot` are served; undefined: nowhere. */
  operations?: ListenAddress;
  /** Where the request log is written: a file, or `-` for standard error; undefined: nowhere. */
  requestLog?: string;
  /** The time in which requests under way may end after a signal; 0: they are cut at once. */
  drainMs: number;
  /** `ready` fails when less space is free. */
  reserveBytes: number;
}

export interface ListenAddress {
  host: string;
  port: number;
}

/** What a service does when nobody asks for more: requests under way are cut when it stops. */
export const NOT_OPERATED: OperateOptions = { drainMs: 0, reserveBytes: 0 };

/**
 * Reads `ADDRESS:PORT`, `[IPv6]:PORT`, `:PORT` or `PORT`. Without an address, the service listens on loopback. Returns undefined
 * for anything else.
 */
export function readListenAddress(text: string): ListenAddress | undefined {
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[([\da-f:.]+)\]|([\w.-]*)):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) return undefined;
  return { host: bracketed || plain || '127.0.0.1', port };
}

/** Returns an address as it stands in a URL. */
export function urlOf({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
