import type { CatalogEntry } from './catalog-entry.ts';

/** Errors of the proxy between this computer and a library, and of certificates that the user imports. */
export const NETWORK_ERRORS = {
  'network.proxy-sign-in': {
    message: 'The proxy asks for a user name and password.',
    nextStep: 'Enter them in Settings, under Network. Uploads resume automatically.',
    disposition: 'wait-network',
  },
  'network.proxy-unreachable': {
    message: 'Mediadesk can’t reach the proxy.',
    nextStep: 'Check your connection and the proxy in Settings, under Network. Uploads resume automatically.',
    disposition: 'wait-network',
  },
  'network.proxy-refused': {
    message: 'The proxy refused to connect to the library.',
    nextStep: 'Ask the administrator of your network to allow the library’s address.',
    disposition: 'wait-network',
  },
  'network.proxy-unsupported': {
    message: 'Mediadesk can’t use this kind of proxy.',
    nextStep: 'Ask the administrator of your network for an HTTP proxy, and enter it in Settings, under Network.',
    disposition: 'wait-network',
  },
  'network.certificate-refused': {
    message: 'The file can’t be imported.',
    nextStep: 'Ask your administrator for the certificate of the authority, as a PEM file.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;
