// An administrator's profile of the command line beside a running service, for tests of the commands for administrators.

import type { JournalEntry } from '../../../service/site/journal.ts';
import type { Person } from '../../../shared/contract/admin/people.ts';
import { clearJournal, journalOf } from '../service/journal.ts';
import { type Answer, clientFor, type ServiceClient } from '../service/service-client.ts';
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
  /** Reads a user with its groups. */
  user(id: string): Promise<Answer['body']>;
  /** Creates a user by the command line; rejects when the command fails. */
  createUser(first: string, last: string, ...options: string[]): Promise<Person>;
  close(): Promise<void>;
}

export async function openAdminLab(): Promise<AdminLab> {
  const service = await startService();
  try {
    const direct = await clientFor(service);
    const account = await openCliProfile(service);
    return {
      service,
      account,
      direct,
      cli: account.run,
      async writes() {
        const entries = await journalOf(service);
        return entries.filter(({ method, path }) => method !== 'GET' && path !== '/api2/oauth/access_token');
      },
      clearWrites: () => clearJournal(service),
      user: async (id) => (await direct.get(`/api2/users/${id}?joins=groups`)).body,
      async createUser(first, last, ...options) {
        const email = `${first.toLowerCase()}@people.example`;
        const names = ['--email', email, '--first', first, '--last', last];
        const created = await account.run('admin', 'users', 'create', ...names, ...options, '--json');
        if (created.code !== 0 || created.stderr !== '') throw new Error(`No user was created: ${created.stderr}`);
        return (created.records[0] as { person: Person }).person;
      },
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
