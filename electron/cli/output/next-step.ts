import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { Disposition } from '../../../shared/contract/errors/catalog-entry.ts';
import { dispositionOf, type ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';

/**
 * When an error is shown: it ended a command, or uploads wait because of it and no process works on the queue any more, or an
 * upload failed with it after its last retry, or a station continues without what the error is about.
 */
export type Occasion = 'command-ended' | 'queue-left' | 'upload-failed' | 'station-runs';

const AGAIN = 'To try again, run “mediadesk queue retry”.';
const CONTINUE = 'run “mediadesk queue resume --wait”.';

/**
 * Next steps for a command line that has ended, which retries nothing. The steps of the catalog assume that Mediadesk keeps
 * running. Without an entry here the catalog's step applies.
 */
const STEPS: Record<Occasion, Partial<Record<Disposition | 'gateway', string>>> = {
  'command-ended': {
    retry: 'Run the command again in a few minutes.',
    'wait-network': 'Check your connection, then run the command again.',
    gateway: 'Run the command again when the library is available.',
    'wait-site': 'Run the command again after the maintenance.',
    'wait-keychain': 'Unlock the keychain, or use --keychain file, then run the command again.',
    'wait-disk': 'Connect the drive or network share, then run the command again.',
    'sign-in': 'Sign in with “mediadesk sign-in”, then run the command again.',
  },
  'queue-left': {
    retry: `The remaining uploads stay in the queue. To resume, ${CONTINUE}`,
    'wait-network': `When you’re back online, ${CONTINUE}`,
    gateway: `When the library is available again, ${CONTINUE}`,
    'wait-site': `After the maintenance, ${CONTINUE}`,
    'wait-keychain': `Unlock the keychain, then ${CONTINUE}`,
    'wait-disk': `Connect the drive or network share, then ${CONTINUE}`,
    'sign-in': `Sign in with “mediadesk sign-in”, then ${CONTINUE}`,
  },
  'station-runs': {
    'sign-in': 'To sign in, stop the station, run “mediadesk sign-in”, and start it again.',
    'wait-keychain': 'Unlock the keychain, or start the station with --keychain file. Uploads resume automatically.',
  },
  'upload-failed': { retry: AGAIN, 'wait-network': AGAIN, gateway: AGAIN, 'wait-site': AGAIN, 'wait-disk': AGAIN },
};

/** Next steps in commands, for errors whose step in the catalog names parts of the window. */
const BY_CODE: Partial<Record<ErrorCode, string>> = {
  'upload.duplicate': 'To decide, run “mediadesk duplicates skip UPLOAD” or “mediadesk duplicates upload UPLOAD”.',
  'upload.duplicate-skipped': 'To add a second copy, run “mediadesk duplicates upload UPLOAD”.',
  'upload.same-file': 'To add a second copy, run “mediadesk duplicates upload UPLOAD”.',
  'upload.may-exist':
    'Check the empty items of the collection. To see the items of this file, run “mediadesk items list”. To choose one, run “mediadesk items use UPLOAD ITEM”; to create a new one, “mediadesk items new UPLOAD”.',
  'upload.unknown': 'To see the IDs of uploads and batches, run “mediadesk queue list --json”.',
  'edit.unknown': 'To see the IDs of edits, run “mediadesk edits list”.',
  'watch.unknown-folder': 'To see the watched folders, run “mediadesk watch list”.',
  'collection.unknown':
    'Create the collection or ask for access to it, then run “mediadesk queue retry”. To use another collection, run “mediadesk queue retry --batch BATCH --collection COLLECTION”.',
  'file.replaced':
    'Put the original file back and run “mediadesk queue retry”. To send the other file, run “mediadesk queue retry UPLOAD --accept-replaced”.',
  'api.not-found': 'Check the ID, and whether it was deleted.',
  'api.not-published': 'Check the status of the item with “mediadesk library show ITEM”, then publish it again.',
  'collection.not-empty':
    'Delete it again. If you don’t see any items, ask an administrator: your account may not see all of them.',
  'collection.not-a-podcast': 'Run “mediadesk collections edit COLLECTION podcast=yes”.',
  'network.tls':
    'Check the address and this computer’s date. If the authority is that of your institution, import its certificate with “mediadesk certificates import FILE”. Otherwise, ask your administrator about the certificate.',
  'network.proxy-sign-in':
    'Store the user name and password with “mediadesk settings proxy-user=NAME --ask-proxy-password”, then run the command again.',
  'network.proxy-unreachable':
    'Check your connection and the proxy (“mediadesk settings”), then run the command again.',
  'network.proxy-unsupported':
    'Enter an HTTP proxy with “mediadesk settings proxy-mode=manual proxy=HOST:PORT”, then run the command again.',
  'manifest.file-exists': 'Enter another name, or add --force to replace the file.',
  'details.entered': 'To change the item, run “mediadesk edit ITEM”.',
};

/** Errors whose step in the catalog is also right after the command has ended. */
const OWN_STEP: ReadonlySet<string> = new Set([
  'network.proxy-refused',
  'keychain.wrong-passphrase',
  'profile.store-failing',
]);

/** Returns the error with a next step that is right after the command has ended. */
export function afterCommand(error: AppErrorData, occasion: Occasion): AppErrorData {
  if (OWN_STEP.has(error.code)) return error;
  const step = BY_CODE[error.code as ErrorCode];
  if (step !== undefined) return { ...error, nextStep: step };
  // The connection works, so no step about the network helps.
  const cause = error.code === 'network.gateway' ? 'gateway' : dispositionOf(error.code);
  return { ...error, nextStep: STEPS[occasion][cause] ?? error.nextStep };
}
