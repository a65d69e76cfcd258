import type { StoredThumb } from './library.ts';
import type { Host, Route } from './wire.ts';

/** One request as the server saw it. */
export interface ExchangeReport {
  host: Host;
  route: Route;
  method: string;
  path: string;
  /** Epoch ms of the library's clock. */
  at: number;
  /** The status of the answer; null when the client disconnected before it. */
  status: number | null;
  bodyBytes: number;
  /** Whether one of the library's tokens is in its address, headers or body. */
  hasToken: boolean;
}

interface FileReport {
  id: string;
  name: string;
  type: string;
  status: string;
  encodedFromId: string | null;
  /** Of the bytes that arrived. */
  sha256: string | null;
  /** The file name in the form. */
  sentName: string | null;
}

export interface ItemReport {
  id: string;
  title: string;
  status: string;
  publishOn: string | null;
  tags: string[];
  files: FileReport[];
  thumbs: StoredThumb[];
}

/** All contents of a library, and all requests that it received. */
export interface SiteReport {
  items: ItemReport[];
  deletedItems: number;
  deletedFiles: number;
  exchanges: ExchangeReport[];
  /** Faults of the server itself: a case with any has proved nothing. */
  faults: string[];
}
