import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Dialect, REFERENCE } from '../wire/dialect.ts';
import type { JournalEntry } from './journal.ts';
import type { Site } from './site.ts';

/** What tests change about a service, see `service/lab`. A service for an institution has `NO_INSTRUMENTS`. */
export interface Instruments {
  /** Milliseconds that are added to the clock of the computer. */
  clockOffsetMs(): number;
  /** How the service treats what the API leaves open. */
  dialect(): Dialect;
  /** Calls `next`, unless a test wants another answer to the request. */
  intercept(request: IncomingMessage, response: ServerResponse, entry: JournalEntry, next: () => void): void;
}

export const NO_INSTRUMENTS: Instruments = {
  clockOffsetMs: () => 0,
  dialect: () => REFERENCE,
  intercept: (_request, _response, _entry, next) => next(),
};

/** Creates the instruments of tests, and the port that controls them. */
export type Lab = (store: Site['store']) => Promise<{
  instruments: Instruments;
  /** Listens; `ready`: fields of the printed line. */
  listen(site: Site, token: string): Promise<{ ready: Record<string, string>; close(): Promise<void> }>;
}>;
