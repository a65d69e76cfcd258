import type { DoctorReport, Finding } from '../../../shared/contract/doctor.ts';
import { type Database, openDatabase, sqliteCodeOf } from '../store/database.ts';
import { queueFileOf } from '../store/open-queue-store.ts';
import { prepareProfile } from '../store/prepare-profile.ts';
import { checkDatabase, checkDuplicateUploads, checkQueueRows } from './check-rows.ts';
import { fine, problem } from './findings.ts';
import { runDoctor } from './run-doctor.ts';

const SQLITE_CANTOPEN = 14;

/**
 * Checks the database of a profile through a read-only connection, even while another process owns the profile.
 * `canOpen` false: opening it normally would change something (a damaged or foreign database is renamed or refused, an
 * older one is migrated), or there is no database.
 */
export async function inspectProfile(
  profileDir: string,
  now: number,
): Promise<{ report: DoctorReport; canOpen: boolean }> {
  prepareProfile(profileDir);
  let database: Database;
  try {
    database = await openDatabase(queueFileOf(profileDir), { readOnly: true });
  } catch (error) {
    if (sqliteCodeOf(error) === null) throw error;
    return { report: { checkedAt: now, findings: [notOpened(error, profileDir)] }, canOpen: false };
  }
  try {
    let isSound = false;
    const report = await runDoctor(
      [
        {
          name: 'database',
          async run() {
            const findings = await readable(
              checkDatabase((sql) => database.prepare(sql).all()),
              profileDir,
            );
            isSound = findings.every(({ severity }) => severity === 'ok');
            return findings;
          },
        },
        { name: 'rows', run: () => (isSound ? checkQueueRows(database, now) : []) },
        { name: 'duplicates', run: () => (isSound ? checkDuplicateUploads(database) : []) },
      ],
      now,
    );
    return { report, canOpen: isSound };
  } finally {
    database.close();
  }
}

/** Returns the findings of a check, or one about its SQLite error: the first query detects a file that is not a database. */
async function readable(check: Promise<Finding[]>, profileDir: string): Promise<Finding[]> {
  try {
    return await check;
  } catch (error) {
    if (sqliteCodeOf(error) === null) throw error;
    return [notOpened(error, profileDir)];
  }
}

function notOpened(error: unknown, profileDir: string): Finding {
  const details = { profileDir };
  if (sqliteCodeOf(error) === SQLITE_CANTOPEN) {
    return fine({ code: 'database.none', message: 'There are no uploads in this profile yet.', details });
  }
  const reason = error instanceof Error ? error.message : String(error);
  const nextStep = 'First copy the profile folder.';
  const message = 'The queue’s database can’t be read.';
  return problem({ code: 'database.damaged', message, nextStep, details: { ...details, reason } });
}
