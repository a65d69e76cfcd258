import { AppError } from '../../../shared/contract/app-error.ts';
import type { Finding } from '../../../shared/contract/doctor.ts';
import type { Files } from '../ports/files.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { ProfileFacts } from '../ports/profile-facts.ts';
import type { Database } from '../store/database.ts';
import { counted, fine, firstOf, problem, warning } from './findings.ts';

const SCARCE_BYTES = 500_000_000;
const FULL_BYTES = 50_000_000;
/** The maximum number of rows whose files are checked; the others are usually in the same folders. */
const MOST_FILES = 5000;

/** Checks the folder of the profile: its permissions and free space. */
export async function checkProfile(profileDir: string, facts: ProfileFacts): Promise<Finding[]> {
  const findings: Finding[] = [];
  const details = { profileDir };
  if (!(await facts.isWritable(profileDir))) {
    const message = 'Mediadesk can’t write to the profile folder, so it can’t upload anything.';
    findings.push(
      problem({ code: 'profile.not-writable', message, nextStep: 'Correct the permissions of the folder.', details }),
    );
  }
  const isOpen = await facts.isOpenToOthers(profileDir);
  if (isOpen) {
    const message = 'Other users of this computer can read the profile folder, which names your files and items.';
    findings.push(
      warning({ code: 'profile.open-to-others', message, nextStep: `Run: chmod 700 “${profileDir}”`, details }),
    );
  }
  const freeBytes = await facts.freeBytes(profileDir);
  if (freeBytes < SCARCE_BYTES) {
    const make = freeBytes < FULL_BYTES ? problem : warning;
    const message = `The drive of the profile folder has only ${Math.floor(freeBytes / 1e6)} MB of free space.`;
    const nextStep = 'Free up space. Without it Mediadesk can’t save the queue, and uploads wait.';
    findings.push(make({ code: 'disk.scarce', message, nextStep, details: { ...details, freeBytes } }));
  }
  if (findings.length > 0) return findings;
  return [
    fine({
      code: 'profile.in-order',
      message: `${isOpen === null ? 'Mediadesk can write to' : 'Only you can read'} the profile folder, and its drive has free space.`,
      details,
    }),
  ];
}

/** Checks whether the keychain can store sign-ins. */
export async function checkKeychain(keychain: Keychain, trouble: AppError | null): Promise<Finding[]> {
  if (keychain.kind === 'memory') {
    const message = 'Your sign-in isn’t stored: you’ll be signed out when you close Mediadesk.';
    return [warning({ code: 'keychain.memory', message, nextStep: trouble?.nextStep ?? null })];
  }
  try {
    await keychain.get('doctor');
    return [fine({ code: 'keychain.reachable', message: 'The keychain works.', details: { kind: keychain.kind } })];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, nextStep } = error;
    return [problem({ code: 'keychain.unreachable', message, nextStep, details: { code: error.code } })];
  }
}

/** Checks the files of rows that still have to be sent, and failed follow-ups. */
export async function checkFiles(database: Database, files: Files): Promise<Finding[]> {
  const rows = database
    .prepare(
      `SELECT id, path, size_bytes, mtime_ms FROM uploads
       WHERE state IN ('queued', 'waiting', 'paused') AND sent_at IS NULL LIMIT $limit`,
    )
    .all({ limit: MOST_FILES });
  const missing: string[] = [];
  const changed: string[] = [];
  for (const row of rows) {
    const path = String(row.path);
    const facts = await files.facts(path).catch(() => null);
    if (facts?.kind !== 'file') missing.push(path);
    else if (facts.sizeBytes !== row.size_bytes || facts.mtimeMs !== row.mtime_ms) changed.push(path);
  }
  const findings: Finding[] = [];
  if (missing.length > 0) {
    const message = `${counted(missing.length, 'queued file', 'queued files')} can’t be found.`;
    const nextStep = 'Put the files back or connect their drive, or cancel these uploads.';
    findings.push(problem({ code: 'files.missing', message, nextStep, details: firstOf(missing) }));
  }
  if (changed.length > 0) {
    const message = `${counted(changed.length, 'queued file has', 'queued files have')} changed. Mediadesk sends the new contents.`;
    findings.push(warning({ code: 'files.changed', message, details: firstOf(changed) }));
  }
  findings.push(...failedFollowUps(database));
  if (findings.length > 0) return findings;
  return [
    fine({
      code: 'files.there',
      message: `${counted(rows.length, 'queued file', 'queued files')} checked. None is missing.`,
    }),
  ];
}

function failedFollowUps(database: Database): Finding[] {
  const rows = database
    .prepare(
      `SELECT id, file_name FROM uploads NOT INDEXED
       WHERE seq IN (SELECT upload_seq FROM follow_ups WHERE state = 'failed') AND state = 'complete'`,
    )
    .all();
  if (rows.length === 0) return [];
  const message = `${counted(rows.length, 'upload is', 'uploads are')} complete, but captions, a thumbnail, tags or the local file failed afterwards.`;
  const nextStep = 'Check them in the list of uploads and retry, or run “mediadesk queue retry --failed”.';
  return [
    warning({ code: 'follow-ups.failed', message, nextStep, details: firstOf(rows.map((row) => row.file_name)) }),
  ];
}
