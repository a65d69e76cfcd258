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
  /** What happened and why, for a person. `name`: the display name of the provider. */
  message(name: string): string;
  /** What the person can do. */
  nextStep: string;
}

const AGAIN = 'Start the sign-in again.';
const ASK = 'Ask an administrator of the library.';

/** The texts of the refusal pages. */
export const REFUSALS: Readonly<Record<RefusalReason, RefusalText>> = {
  unreachable: {
    status: 502,
    message: (name) => `${name} can’t be used at the moment: it doesn’t answer, or not as expected.`,
    nextStep: 'Try again in a few minutes. If the problem stays, tell an administrator of the library.',
  },
  'refused-by-provider': {
    status: 403,
    message: (name) => `${name} didn’t sign you in.`,
    nextStep: 'Start again. If the problem stays, ask the people who run your account there.',
  },
  clock: {
    status: 502,
    message: (name) => `The clock of this library and the clock of ${name} differ, so the sign-in can’t be checked.`,
    nextStep: 'Tell an administrator of the library.',
  },
  expired: {
    status: 400,
    message: () =>
      'This sign-in has expired, was used already, or began in another browser. A restart of the library ends it too.',
    nextStep: AGAIN,
  },
  'mixed-up': {
    status: 400,
    message: (name) => `This answer doesn’t belong to the sign-in that you began with ${name}.`,
    nextStep: AGAIN,
  },
  'not-verified': {
    status: 502,
    message: (name) => `The answer of ${name} can’t be verified.`,
    nextStep: 'Start the sign-in again. If the problem stays, tell an administrator of the library.',
  },
  claims: {
    status: 502,
    message: (name) => `${name} describes your account in a form that this library doesn’t accept.`,
    nextStep: ASK,
  },
  groups: {
    status: 502,
    message: (name) => `${name} lists your groups in a form that this library doesn’t accept.`,
    nextStep: ASK,
  },
  'unknown-user': {
    status: 403,
    message: (name) => `${name} knows you, but you have no account in this library.`,
    nextStep: 'Ask an administrator of the library for an account.',
  },
  'address-taken': {
    status: 409,
    message: (name) =>
      `An account of this library already has your email address, but it isn’t linked to your account at ${name}.`,
    nextStep: 'Sign in with your password, or ask an administrator of the library to link the accounts.',
  },
  'no-address': {
    status: 403,
    message: (name) =>
      `You have no account in this library, and ${name} names no verified email address for a new one.`,
    nextStep: 'Ask an administrator of the library for an account.',
  },
  'deleted-user': {
    status: 403,
    message: () => 'Your account in this library was deleted.',
    nextStep: ASK,
  },
  'read-only': {
    status: 503,
    message: () => 'The library is in maintenance and can’t give you an account now.',
    nextStep: 'Try again later.',
  },
  'too-many': {
    status: 429,
    message: () => 'Too many sign-ins from your network failed.',
    nextStep: 'Wait a minute, then start again.',
  },
  'too-long': {
    status: 400,
    message: () => 'The request of the application is too long for this kind of sign-in.',
    nextStep: 'Sign in with your password.',
  },
};
