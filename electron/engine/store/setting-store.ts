import type { Database, Statement } from './database.ts';

/** The texts that a profile stores by name, such as the settings of the queue. */
export class SettingStore {
  readonly #get: Statement;
  readonly #set: Statement;

  constructor(database: Database) {
    this.#get = database.prepare('SELECT value FROM settings WHERE name = $name');
    this.#set = database.prepare(
      'INSERT INTO settings VALUES ($name, $value) ON CONFLICT (name) DO UPDATE SET value = $value',
    );
  }

  /** Returns null for a name that was never set. */
  get(name: string): string | null {
    const row = this.#get.get({ name });
    return row === undefined ? null : String(row.value);
  }

  /** Durable when this returns. */
  set(name: string, value: string): void {
    this.#set.run({ name, value });
  }
}
