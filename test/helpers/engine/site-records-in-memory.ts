import type { SiteRecord, SiteRecords } from '../../../electron/engine/account/site-records.ts';

/** Site records for tests without a database. Returns copies, as a database does. */
export function recordsInMemory(first: SiteRecord[] = []): SiteRecords {
  const records = new Map(first.map((record) => [record.id, { ...record }]));
  return {
    list: () => [...records.values()].map((record) => ({ ...record })),
    get: (id) => {
      const record = records.get(id);
      return record === undefined ? null : { ...record };
    },
    put: (record) => void records.set(record.id, { ...record }),
  };
}

export const someRecord: SiteRecord = {
  id: 'site-1',
  baseUrl: 'https://media.example.org',
  userId: '7',
  clientId: 'desktop',
  accountName: 'Ada',
  keychainSlot: 'b',
  keptIn: 'system',
  refreshingSince: null,
  addedAt: 0,
  signedIn: true,
};
