import type { AppErrorData } from '../../shared/contract/app-error.ts';
import type { Disposition } from '../../shared/contract/catalog-entry.ts';
import { dispositionOf } from '../../shared/contract/error-catalog.ts';

/**
 * How an error reaches a person: it ended a command, or uploads wait for it in a queue that is not worked on any more, or
 * an upload has failed of it after its last retry.
 */
export type Occasion = 'command-ended' | 'queue-left' | 'upload-failed';

const AGAIN = '“mediadesk queue retry” queues it again.';
const CONTINUE = '“mediadesk queue resume --wait” continues.';

/**
 * What helps, where the command line has ended and nothing is retried any more. The steps of the catalog are about a
 * Mediadesk that keeps running. Null: the catalog's own step holds here as well.
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

/** These have a step of their own that is true after the command as well. */
const OWN_STEP: ReadonlySet<string> = new Set(['network.tls', 'keychain.wrong-passphrase', 'profile.store-failing']);

/** The error with a next step that is true once the command has ended. */
export function afterCommand(error: AppErrorData, occasion: Occasion): AppErrorData {
  if (OWN_STEP.has(error.code)) return error;
  return { ...error, nextStep: STEPS[occasion][dispositionOf(error.code)] ?? error.nextStep };
}
