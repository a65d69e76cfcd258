import { shell } from 'electron';
import { externalAddress } from './web-address.ts';

/**
 * Opens an address in the system's browser; no other code of the shell does that. Returns false, and opens nothing, for an
 * address that is not allowed: for other schemes the system could start any program.
 */
export async function openExternal(address: string): Promise<boolean> {
  const safe = externalAddress(address);
  if (safe === null) return false;
  await shell.openExternal(safe);
  return true;
}
