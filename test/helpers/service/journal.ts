import type { JournalEffect, JournalEntry } from '../../../service/site/journal.ts';
import type { ServiceProcess } from './service-process.ts';

type Service = Pick<ServiceProcess, 'control'>;

/** What the service did since its start or `clearJournal`, as it recorded it: the requests and their effects. */
export async function journalOf(service: Service): Promise<JournalEntry[]> {
  return (await service.control<{ items: JournalEntry[] }>('GET', '/journal')).items;
}

export async function clearJournal(service: Service): Promise<void> {
  await service.control('DELETE', '/journal');
}

/** The requests of this kind; those in flight have the `status` null. */
export async function requestsOf(service: Service, method: string, path: RegExp): Promise<JournalEntry[]> {
  return (await journalOf(service)).filter((entry) => entry.method === method && path.test(entry.path ?? ''));
}

/** The effects with this name, of any request. */
export async function effectsOf(service: Service, name: string): Promise<JournalEffect[]> {
  return (await journalOf(service)).flatMap(({ effects }) => effects).filter((effect) => effect.name === name);
}
