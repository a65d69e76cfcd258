import type { AppError } from '../../../shared/contract/app-error.ts';
import type { Finding } from '../../../shared/contract/doctor.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { UPLOAD_STATES } from '../../../shared/model/uploads/upload-states.ts';
import type { SiteClient } from '../api/http-client.ts';
import type { Clock } from '../ports/clock.ts';
import type { Files } from '../ports/files.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { ProfileFacts } from '../ports/profile-facts.ts';
import type { Database } from '../store/database.ts';
import { readElsewhere } from '../store/read-elsewhere.ts';
import { checkFiles, checkKeychain, checkProfile } from './check-computer.ts';
import { checkNetwork, type NetworkCheckTools } from './check-network.ts';
import { checkDatabase, checkDuplicateUploads, checkQueueRows } from './check-rows.ts';
import { checkService } from './check-service.ts';
import { problem } from './findings.ts';
import type { DoctorCheck } from './run-doctor.ts';

export interface EngineCheckTools {
  profileDir: string;
  database: Database;
  clock: Clock;
  files: Files;
  facts: ProfileFacts;
  keychain: Keychain;
  network: NetworkCheckTools['network'];
  keychainProblem(): AppError | null;
  sites(): Site[];
  clientFor(siteId: string): SiteClient;
  /** The number of rows by state, as the running queue counts them. */
  counts(): Record<string, number>;
}

/** All checks of a running engine. No check changes anything. */
export function engineChecks(tools: EngineCheckTools, all: boolean): DoctorCheck[] {
  const { database, clock, network } = tools;
  return [
    { name: 'database', run: () => checkDatabase((sql) => readElsewhere(database.path, sql)) },
    { name: 'rows', run: () => checkQueueRows(database, clock.now()) },
    { name: 'counts', run: () => checkCounts(database, tools.counts()) },
    { name: 'duplicates', run: () => checkDuplicateUploads(database) },
    { name: 'profile', run: () => checkProfile(tools.profileDir, tools.facts) },
    { name: 'keychain', run: () => checkKeychain(tools.keychain, tools.keychainProblem()) },
    { name: 'files', run: () => checkFiles(database, tools.files) },
    { name: 'network', run: () => checkNetwork({ network, sites: tools.sites(), now: clock.now() }) },
    ...tools.sites().map((site) => ({
      name: site.baseUrl,
      run: () => checkService(site, { database, clock, clientFor: tools.clientFor, all }),
    })),
  ];
}

/** Checks that the counts on screens equal the stored rows. */
function checkCounts(database: Database, counts: Record<string, number>): Finding[] {
  const rows = database
    .prepare('SELECT state, count(*) AS n FROM uploads WHERE cleared_at IS NULL GROUP BY state')
    .all();
  const stored = new Map(rows.map(({ state, n }) => [String(state), Number(n)]));
  const wrong = UPLOAD_STATES.filter((state) => (stored.get(state) ?? 0) !== (counts[state] ?? 0));
  if (wrong.length === 0) return [];
  const details = { states: wrong, stored: Object.fromEntries(stored), counted: counts };
  const message = 'The numbers on the screen are not those of the stored uploads.';
  return [problem({ code: 'counts.differ', message, nextStep: 'Restart Mediadesk, and report it.', details })];
}
