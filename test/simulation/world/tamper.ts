import type { SiteClient } from '../../../electron/engine/api/http-client.ts';
import type { Files } from '../../../electron/engine/ports/files.ts';
import type { Database } from '../../../electron/engine/store/database.ts';
import type { SendForm } from '../../../electron/engine/uploads/delivery/sender/send-options.ts';

/** A layer between the program and its world that fails when a test requests it. */
export interface Tamper {
  database(database: Database): Database;
  files(files: Files): Files;
  client(client: SiteClient): SiteClient;
  sender(sendForm: SendForm): SendForm;
}

export const NO_TAMPER: Tamper = {
  database: (database) => database,
  files: (files) => files,
  client: (client) => client,
  sender: (sendForm) => sendForm,
};

/** SQLite's errors for an unavailable database. */
export class StoreFailure extends Error {
  readonly errcode: number;

  constructor(errcode: number, message: string) {
    super(message);
    this.errcode = errcode;
  }
}

/** Returns whether a text reports an unavailable database, which is not a bug of the program. */
export function tellsOfStore(text: string): boolean {
  return /disk is full|database is locked|disk I\/O error/.test(text);
}
