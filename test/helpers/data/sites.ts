import type { Site } from '../../../shared/contract/sites.ts';

/** A signed-in account whose tokens are in memory. */
export function aSite(id: string, change: Partial<Site> = {}): Site {
  return {
    id,
    baseUrl: `https://${id}.example`,
    clientId: 'c',
    displayName: id,
    userId: id,
    accountName: null,
    state: 'signed-in',
    keptIn: 'memory',
    problem: null,
    reachable: true,
    restored: false,
    ...change,
  };
}
