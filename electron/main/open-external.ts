import { shell } from 'electron';
import { externalAddress } from './web-address.ts';

/**
 * The only way out to the system's browser. Returns false, and opens nothing, when the address is not one that may
 * leave the app: the system would start whatever program an odd scheme names.
 */
export async function openExternal(address: string): Promise<boolean> {
  const safe = externalAddress(address);
  if (safe === null) return false;
  await shell.openExternal(safe);
  return true;
}
