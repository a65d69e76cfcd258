import { type Message, say, type TextKey } from '../languages/texts.ts';

/** Why a provider did not sign a user in; the log has it too. */
export type RefusalReason =
  | 'unreachable'
  | 'refused-by-provider'
  | 'clock'
  | 'expired'
  | 'mixed-up'
  | 'not-verified'
  | 'claims'
  | 'groups'
  | 'unknown-user'
  | 'address-taken'
  | 'no-address'
  | 'deleted-user'
  | 'deactivated-user'
  | 'read-only'
  | 'too-many'
  | 'too-long';

export interface Refusal {
  kind: 'refused';
  reason: RefusalReason;
  /** More about the reason, for the log: a code, never a value from outside. */
  detail?: string;
  /** The user's `unique_id`, for an administrator who wants to give the user an account. */
  uniqueId?: string;
}

export const refused = (reason: RefusalReason, more: Omit<Refusal, 'kind' | 'reason'> = {}): Refusal => ({
  kind: 'refused',
  reason,
  ...more,
});

interface RefusalText {
  status: number;
  /** What happened and why, for a person; the name of the provider is a value of it. */
  message: TextKey;
  /** What the person can do. */
  nextStep: TextKey;
}

const text = (status: number, message: TextKey, nextStep: TextKey): RefusalText => ({ status, message, nextStep });

/** The texts of the refusal pages. */
const REFUSALS: Readonly<Record<RefusalReason, RefusalText>> = {
  unreachable: text(502, 'provider.unreachable', 'provider.unreachable-next'),
  'refused-by-provider': text(403, 'provider.refused', 'provider.refused-next'),
  clock: text(502, 'provider.clock', 'provider.tell'),
  expired: text(400, 'provider.expired', 'provider.again'),
  'mixed-up': text(400, 'provider.mixed-up', 'provider.again'),
  'not-verified': text(502, 'provider.not-verified', 'provider.again-or-tell'),
  claims: text(502, 'provider.claims', 'provider.ask'),
  groups: text(502, 'provider.groups', 'provider.ask'),
  'unknown-user': text(403, 'provider.unknown-user', 'provider.ask-for-account'),
  'address-taken': text(409, 'provider.address-taken', 'provider.address-taken-next'),
  'no-address': text(403, 'provider.no-address', 'provider.ask-for-account'),
  'deleted-user': text(403, 'provider.deleted-user', 'provider.ask'),
  'deactivated-user': text(403, 'provider.deactivated-user', 'provider.ask'),
  'read-only': text(503, 'provider.read-only', 'provider.read-only-next'),
  'too-many': text(429, 'provider.too-many', 'provider.too-many-next'),
  'too-long': text(400, 'provider.too-long', 'provider.too-long-next'),
};

/** Returns what the page of a refusal says. `provider`: its display name. */
export function refusalText(
  reason: RefusalReason,
  provider: string,
): { status: number; message: Message; nextStep: Message } {
  const { status, message, nextStep } = REFUSALS[reason];
  return { status, message: say(message, { provider }), nextStep: say(nextStep) };
}
