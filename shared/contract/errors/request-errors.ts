import type { CatalogEntry } from './catalog-entry.ts';

/** Errors of requests to the library: refusals, unusable answers, and no answer. */
export const REQUEST_ERRORS = {
  'api.bad-request': {
    message: 'The library couldn’t read the request.',
    nextStep: 'See the details and report this problem.',
    disposition: 'permanent',
  },
  'api.forbidden': {
    message: 'You don’t have permission to do this in this library.',
    nextStep: 'Ask an administrator for the permission, or choose another collection.',
    disposition: 'ask',
  },
  'api.not-found': {
    message: 'The library doesn’t have this, or you don’t have access to it.',
    nextStep: 'Refresh, and check whether it was deleted.',
    disposition: 'ask',
  },
  'api.not-published': {
    message: 'The library accepted the request, but the item isn’t published.',
    nextStep: 'Refresh and check the status of the item, then publish it again.',
    disposition: 'permanent',
  },
  'api.conflict': {
    message: 'The library refused this because it conflicts with something else.',
    nextStep: 'See the details, resolve the conflict, then try again.',
    disposition: 'ask',
  },
  'api.invalid': {
    message: 'The library didn’t accept some of the values.',
    nextStep: 'Correct the values named in the details.',
    disposition: 'permanent',
  },
  'api.quota-exceeded': {
    message: 'The library has no space left for this: a quota would be exceeded.',
    nextStep:
      'Delete files that nobody needs, choose another collection, or ask an administrator for more space. Then retry.',
    disposition: 'ask',
  },
  'api.no-space': {
    message: 'The drive of the library is almost full, so it accepts no new files.',
    nextStep: 'Tell the library’s administrator. Uploads are retried automatically.',
    disposition: 'retry',
  },
  'api.read-only': {
    message: 'The library is in maintenance and can’t be changed.',
    nextStep: 'Uploads and edits are sent afterwards.',
    disposition: 'wait-site',
  },
  'api.too-many-requests': {
    message: 'The library is busy and asked Mediadesk to wait.',
    nextStep: 'Uploads resume automatically when the library allows it.',
    disposition: 'wait-site',
  },
  'api.server-error': {
    message: 'The library has a problem.',
    nextStep: 'Uploads are retried automatically. For anything else, try again in a few minutes.',
    disposition: 'retry',
  },
  'api.unexpected': {
    message: 'The library sent a response that Mediadesk doesn’t understand.',
    nextStep: 'See the status and the text in the details.',
    disposition: 'ask',
  },
  'api.malformed': {
    message: 'The library’s response was damaged or unreadable.',
    nextStep: 'Uploads are retried automatically. For anything else, try again in a few minutes.',
    disposition: 'retry',
  },
  'network.unreachable': {
    message: 'Mediadesk can’t reach the library.',
    nextStep: 'Check your connection. Uploads resume automatically when you’re back online.',
    disposition: 'wait-network',
  },
  'network.gateway': {
    message: 'The library isn’t available. A server in front of it, or the library itself, answers only with errors.',
    nextStep: 'Uploads and edits are sent when the library is available again.',
    disposition: 'wait-network',
  },
  'network.timed-out': {
    message: 'The library took too long to respond.',
    nextStep: 'Uploads are retried automatically. For anything else, try again in a few minutes.',
    disposition: 'wait-network',
  },
  'network.tls': {
    message: 'The library’s certificate isn’t trusted, so Mediadesk didn’t connect.',
    nextStep:
      'Check the address and this computer’s date. If the authority is that of your institution, import its certificate in Settings, under Network. Otherwise, ask your administrator about the certificate.',
    disposition: 'wait-network',
  },
} as const satisfies Record<string, CatalogEntry>;
