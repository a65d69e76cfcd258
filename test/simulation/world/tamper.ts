import type { SiteClient } from '../../../electron/engine/api/http-client.ts';
import type { Files } from '../../../electron/engine/ports/files.ts';
import type { Database } from '../../../electron/engine/store/database.ts';
import type { SendForm } from '../../../electron/engine/uploads/delivery/sender/send-options.ts';

/** What stands between the program and its world, to fail where a test wants it to. */
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

/** What SQLite says when it can't do its work. */
export class StoreFailure extends Error {
  readonly errcode: number;

  constructor(errcode: number, message: string) {
    super(message);
    this.errcode = errcode;
  }
}

/** Whether a text reports a store that can't be used, which is no fault of the program. */
export function tellsOfStore(text: string): boolean {
  return /disk is full|database is locked|disk I\/O error/.test(text);
}
