import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type AppError, appError } from '../../../../../shared/contract/app-error.ts';
import { zoneOf, zoneOfHost } from '../../../api/network-zones.ts';

/** A destination asks for the same form at another address (307, 308). */
export class Redirected extends Error {
  readonly status: number;
  readonly location: string;
  /** The address of the host that answered; null where the connection no longer has it, and behind a proxy. */
  readonly fromAddress: string | null;
  readonly facts: { sentBytes: number; allSent: boolean };

  constructor(
    status: number,
    location: string,
    fromAddress: string | null,
    facts: { sentBytes: number; allSent: boolean },
  ) {
    super('redirected');
    this.status = status;
    this.location = location;
    this.fromAddress = fromAddress;
    this.facts = facts;
  }
}

/** Where a form goes after a redirect. */
export interface RedirectTarget {
  url: URL;
  /** Resolves the host's name to addresses that the redirect may lead to, so that a name can't hide a private one. */
  lookup: LookupFunction;
}

const MAX_HOPS = 5;

/**
 * Returns the target of a redirect. Its address comes from the destination, not from the library. So it gets the form and nothing
 * else, must use https if the destination does, and must not be in a network that is more private than the destination's:
 * otherwise any store could make this computer send forms to services on its loopback interface.
 *
 * `hops`: the number of redirects followed so far. Throws `upload.refused` with the reason.
 */
export function redirectTarget(redirect: Redirected, from: URL, hops: number): RedirectTarget {
  const refuse = (reason: string, host?: string) => refusedRedirect(redirect, reason, host);
  if (hops >= MAX_HOPS) throw refuse(`more than ${MAX_HOPS} redirects`);
  const url = URL.parse(redirect.location, from);
  if (redirect.location === '' || url === null) throw refuse('no usable address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('not a web address');
  if (from.protocol === 'https:' && url.protocol !== 'https:') throw refuse('from https to http', url.host);
  url.username = '';
  url.password = '';
  url.hash = '';
  const fromZone = redirect.fromAddress === null ? zoneOfHost(from) : zoneOf(redirect.fromAddress);
  const isAllowed = (address: string) => zoneOf(address) >= fromZone;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Node does not call the lookup for a host that is an IP address.
  if (isIP(host) !== 0 && !isAllowed(host)) throw refuse('into a private network', url.host);
  return { url, lookup: allowedOnly(isAllowed, () => refuse('into a private network', url.host)) };
}

function refusedRedirect({ status, facts }: Redirected, reason: string, host?: string): AppError {
  return appError('upload.refused', {
    message: 'The upload server redirected the file to an address that Mediadesk doesn’t follow.',
    details: { status, reason: `redirect: ${reason}`, ...(host === undefined ? {} : { host }), ...facts },
  });
}

/** The system's lookup, without the addresses that are not allowed. */
function allowedOnly(isAllowed: (address: string) => boolean, refuse: () => AppError): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
      const allowed = error === null ? addresses.filter(({ address }) => isAllowed(address)) : [];
      const [first] = allowed;
      if (error !== null) callback(error, []);
      else if (first === undefined) callback(refuse(), []);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
