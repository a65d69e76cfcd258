import { useEffect } from 'react';
import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { warn } from './messages-store.ts';

/** Why the account can't add items, by `keyOf`; null: it can, or that is unknown. */
const useAddRights = create<{ known: ReadonlyMap<string, AppErrorData | null> }>(() => ({ known: new Map() }));

const MOST_KNOWN = 200;

/** How long a command waits for the answer. A library that can't be reached must not prevent that files are added to the queue. */
const PATIENCE_MS = 2000;

const keyOf = (siteId: string, collectionId: string) => `${siteId} ${collectionId}`;

/** Loads why the account can't add items to a collection. Never rejects. */
async function loadRefusalToAdd(siteId: string, collectionId: string): Promise<AppErrorData | null> {
  try {
    const refusal = await call('library.rightToAdd', { siteId, collectionId });
    const key = keyOf(siteId, collectionId);
    useAddRights.setState(({ known }) => {
      const others = [...known].filter(([each]) => each !== key).slice(-MOST_KNOWN);
      return { known: new Map([...others, [key, refusal]]) };
    });
    return refusal;
  } catch (thrown) {
    // The library decides when an upload is sent.
    console.warn('Permission to add not loaded', thrown);
    return null;
  }
}

/**
 * Returns why the account can't add items to a collection; null when it can, when no collection is chosen, or when the library does
 * not answer soon.
 */
export async function refusalToAdd(siteId: string, collectionId: string | null): Promise<AppErrorData | null> {
  if (collectionId === null) return null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  try {
    return await Promise.race([loadRefusalToAdd(siteId, collectionId), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns why the account can't add items to a collection, as far as that is known; null otherwise. */
export function knownRefusalToAdd(siteId: string, collectionId: string): AppErrorData | null {
  return useAddRights.getState().known.get(keyOf(siteId, collectionId)) ?? null;
}

/** Returns whether files can be offered to a collection; otherwise shows why not. */
export async function mayOfferFiles(siteId: string, collectionId: string | null): Promise<boolean> {
  const refusal = await refusalToAdd(siteId, collectionId);
  if (refusal !== null) warn(refusal.message, refusal.nextStep);
  return refusal === null;
}

/** Returns why the account can't add items to a collection, and loads it when the component appears; null while it is unknown. */
export function useRefusalToAdd(siteId: string | null, collectionId: string | null): AppErrorData | null {
  useEffect(() => {
    if (siteId !== null && collectionId !== null) void loadRefusalToAdd(siteId, collectionId);
  }, [siteId, collectionId]);
  return useAddRights(({ known }) =>
    siteId === null || collectionId === null ? null : (known.get(keyOf(siteId, collectionId)) ?? null),
  );
}
