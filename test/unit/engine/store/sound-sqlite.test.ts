import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { isSound, openDatabase, type SqliteModule } from '../../../../electron/engine/store/database.ts';

/** A module that reports this version, and writes numbers into JSON with so many digits. */
function moduleOf(version: string, digits: number): SqliteModule {
  class Changed extends DatabaseSync {
    override prepare(sql: string) {
      const statement = super.prepare(sql);
      const get = statement.get.bind(statement);
      statement.get = (parameters) => {
        const { number = 0 } = parameters as Record<string, number>;
        return { ...get({ number }), version, numbers: JSON.stringify([Number(number.toPrecision(digits))]) };
      };
      return statement;
    }
  }
  return { DatabaseSync: Changed };
}

it('a SQLite that can damage a database, or shortens numbers in JSON, is not used', () => {
  expect(isSound(moduleOf('3.53.4', 17))).toBe(true);
  expect(isSound(moduleOf('3.51.2', 17))).toBe(false);
  expect(isSound(moduleOf('3.51.3', 15))).toBe(false);
});

it('the SQLite that is used keeps every digit of a time in JSON', async () => {
  const database = await openDatabase(':memory:');
  const [time] = JSON.parse(String(database.prepare('SELECT json_array(1732837000123.5625) AS n').get()?.n));
  expect(time).toBe(1732837000123.5625);
  database.close();
});
