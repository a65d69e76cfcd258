// An administrator's profile of the command line beside a running service, for tests of the commands for administrators.
import type { JournalEntry } from '../../../service/site/journal.ts';
import { clearJournal, journalOf } from '../service/journal.ts';
import { clientFor, type ServiceClient } from '../service/service-client.ts';
import { type ServiceProcess, startService } from '../service/service-process.ts';
import { type CliProfile, openCliProfile } from './cli-profile.ts';

export interface AdminLab {
  service: ServiceProcess;
  account: CliProfile;
  /** Requests to the service without the command line. */
  direct: ServiceClient;
  cli: CliProfile['run'];
  /** Returns the requests that changed the library, since the last `clearWrites`. */
  writes(): Promise<JournalEntry[]>;
  clearWrites(): Promise<void>;
  close(): Promise<void>;
}

export async function openAdminLab(): Promise<AdminLab> {
  const service = await startService();
  try {
    const direct = await clientFor(service);
    const account = await openCliProfile(service);
    return {
      ...{ service, account, direct, cli: account.run },
      async writes() {
        const entries = await journalOf(service);
        return entries.filter(({ method, path }) => method !== 'GET' && path !== '/api2/oauth/access_token');
      },
      clearWrites: () => clearJournal(service),
      async close() {
        await service.stop();
        await account.close();
      },
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}
