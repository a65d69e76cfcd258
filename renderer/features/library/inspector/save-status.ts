import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import type { Busy } from '../state/inspector-store.ts';
import { texts } from '../texts.ts';

/** The state of the item in the footer of the inspector. */
export interface SaveStatus {
  /** `none`: the footer is empty. `wait`: the edits are stored on this computer and not sent yet. */
  tone: 'none' | 'unsaved' | 'busy' | 'good' | 'wait' | 'bad';
  text: string;
  /** An earlier edit needs a decision in the list of edits. */
  asks: boolean;
}

interface SaveFacts {
  busy: Busy;
  isDirty: boolean;
  /** The error of the last save; null when there was none. */
  error: AppErrorData | null;
  gone: AppErrorData | null;
  /** The fields that the user has to correct or decide first. */
  problems: Readonly<Record<string, string>>;
  outcome: 'saved' | null;
  detail: Pick<MediaDetail, 'isPending' | 'pendingReason'>;
  isReachable: boolean;
  /** The edit was stored a moment ago and will probably be sent at once. */
  isSoon: boolean;
}

const NO_STATUS: SaveStatus = { tone: 'none', text: '', asks: false };

/** Returns the state that the footer of the inspector shows: exactly one, the most important of those that apply. */
export function saveStatus(facts: SaveFacts): SaveStatus {
  const { busy, isDirty, error, gone, problems, outcome, detail } = facts;
  const { save } = texts.item;
  if (busy === 'saving') return { tone: 'busy', text: save.saving, asks: false };
  if (isDirty && gone !== null) return { tone: 'bad', text: save.notSaved(save.gone), asks: false };
  if (isDirty && error !== null) return { tone: 'bad', text: save.notSaved(reasonOf(error)), asks: false };
  if (isDirty && Object.keys(problems).length > 0) {
    return { tone: 'bad', text: save.notSaved(save.checkFields), asks: false };
  }
  if (isDirty) return { tone: 'unsaved', text: save.unsaved, asks: false };
  if (detail.isPending === true) return pendingStatus(facts);
  if (outcome === 'saved') return { tone: 'good', text: save.saved, asks: false };
  return NO_STATUS;
}

/** The message of an error as the rest of a sentence. */
function reasonOf({ code, message }: AppErrorData): string {
  if (code === 'api.invalid') return texts.item.save.checkFields;
  // Only these words get a lower-case letter: a message can also begin with “Mediadesk”, which is a proper name.
  return /^(?:The|This|Someone|Your|You) /.test(message) ? message.charAt(0).toLowerCase() + message.slice(1) : message;
}

function pendingStatus({ detail, isReachable, isSoon }: SaveFacts): SaveStatus {
  const { save } = texts.item;
  const code = detail.pendingReason?.code ?? null;
  const wait = (text: string, asks = false): SaveStatus => ({ tone: 'wait', text, asks });
  if (code === 'api.read-only') return wait(save.storedReadOnly);
  if (code?.startsWith('sign-in.') || code?.startsWith('keychain.')) return wait(save.storedSignIn);
  if (code !== 'network.gateway' && code?.startsWith('network.')) return wait(save.storedOffline);
  if (code === 'network.gateway' || !isReachable) return wait(save.storedUnreachable);
  if (code?.startsWith('edit.')) return wait(save.storedAsks, true);
  return isSoon ? { tone: 'busy', text: save.saving, asks: false } : wait(save.stored);
}
