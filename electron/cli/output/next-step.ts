import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { Disposition } from '../../../shared/contract/catalog-entry.ts';
import { dispositionOf } from '../../../shared/contract/error-catalog.ts';

/**
 * When an error is shown: it ended a command, or uploads wait because of it and no process works on the queue any more, or
 * an upload failed with it after its last retry.
 */
export type Occasion = 'command-ended' | 'queue-left' | 'upload-failed';

const AGAIN = '“mediadesk queue retry” queues it again.';
const CONTINUE = '“mediadesk queue resume --wait” continues.';

/**
 * Next steps for a command line that has ended, which retries nothing. The steps of the catalog assume that Mediadesk keeps
 * running. Without an entry here the catalog's step applies.
 */
const STEPS: Record<Occasion, Partial<Record<Disposition, string>>> = {
  'command-ended': {
    retry: 'Run the command again in a few minutes.',
    'wait-network': 'Check the connection, then run the command again.',
    'wait-site': 'Run the command again when the maintenance is over.',
    'wait-keychain': 'Unlock the keychain, or use --keychain file, then run the command again.',
    'wait-disk': 'Connect the drive or share, then run the command again.',
    'sign-in': 'Sign in with “mediadesk sign-in”, then run the command again.',
  },
  'queue-left': {
    retry: `What is left stays in the queue: ${CONTINUE}`,
    'wait-network': `When the connection is back, ${CONTINUE}`,
    'wait-site': `When the maintenance is over, ${CONTINUE}`,
    'wait-keychain': `Unlock the keychain; then ${CONTINUE}`,
    'wait-disk': `Connect the drive or share; then ${CONTINUE}`,
    'sign-in': `Sign in with “mediadesk sign-in”; then ${CONTINUE}`,
  },
  'upload-failed': { retry: AGAIN, 'wait-network': AGAIN, 'wait-site': AGAIN, 'wait-disk': AGAIN },
};

/** Errors whose step in the catalog is also right after the command has ended. */
const OWN_STEP: ReadonlySet<string> = new Set(['network.tls', 'keychain.wrong-passphrase', 'profile.store-failing']);

/** Returns the error with a next step that is right after the command has ended. */
export function afterCommand(error: AppErrorData, occasion: Occasion): AppErrorData {
  if (OWN_STEP.has(error.code)) return error;
  return { ...error, nextStep: STEPS[occasion][dispositionOf(error.code)] ?? error.nextStep };
}
