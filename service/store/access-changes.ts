import type { DatabaseSync } from 'node:sqlite';

/** Everything that effective permissions rest on, as the changes after which they may be others. */
const CHANGES = [
  ...['memberships', 'group_users', 'groups'].flatMap((table) => [
    `INSERT ON ${table}`,
    `UPDATE ON ${table}`,
    `DELETE ON ${table}`,
  ]),
  'UPDATE OF permissions ON roles',
  'DELETE ON roles',
  'INSERT ON collections',
  'UPDATE OF parent_id, inherit_memberships ON collections',
  'DELETE ON collections',
];

/**
 * Has the database itself report each change that access rests on, whoever makes it and also when it comes by a cascade.
 * The triggers belong to the connection and leave nothing in the file.
 */
export function watchAccessChanges(db: DatabaseSync, onChange: () => void): void {
  db.function('access_changed', () => {
    onChange();
    return null;
  });
  CHANGES.forEach((change, index) => {
    db.exec(`CREATE TEMP TRIGGER access_change_${index} AFTER ${change.replace(' ON ', ' ON main.')}
      BEGIN SELECT access_changed(); END`);
  });
}
