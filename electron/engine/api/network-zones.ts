import { BlockList, isIP } from 'node:net';

/** How private a network is: the smaller the number, the more private. */
export const ZONE = { thisComputer: 0, privateNetwork: 1, internet: 2 } as const;

const thisComputer = new BlockList();
thisComputer.addSubnet('127.0.0.0', 8, 'ipv4');
thisComputer.addSubnet('0.0.0.0', 8, 'ipv4');
thisComputer.addSubnet('169.254.0.0', 16, 'ipv4');
thisComputer.addAddress('::', 'ipv6');
thisComputer.addAddress('::1', 'ipv6');
thisComputer.addSubnet('fe80::', 10, 'ipv6');

const privateNetwork = new BlockList();
privateNetwork.addSubnet('10.0.0.0', 8, 'ipv4');
privateNetwork.addSubnet('172.16.0.0', 12, 'ipv4');
privateNetwork.addSubnet('192.168.0.0', 16, 'ipv4');
privateNetwork.addSubnet('100.64.0.0', 10, 'ipv4');
privateNetwork.addSubnet('fc00::', 7, 'ipv6');

/** Returns how private an address is: 0 this computer or link, 1 a private network, 2 the internet (default). */
export function zoneOf(address: string): number {
  const version = isIP(address);
  if (version === 0) return ZONE.internet;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (thisComputer.check(address, family)) return ZONE.thisComputer;
  return privateNetwork.check(address, family) ? ZONE.privateNetwork : ZONE.internet;
}

/**
 * Returns whether an answer of `from` may lead to `to`: not from an encrypted to an unencrypted address, and not to another host
 * in a more private network.
 */
export function mayLeadTo(from: URL, to: URL): boolean {
  if (to.protocol !== 'https:' && to.protocol !== 'http:') return false;
  if (from.protocol === 'https:' && to.protocol !== 'https:') return false;
  return to.hostname === from.hostname || zoneOfHost(to) >= zoneOfHost(from);
}

/** Returns how private the host of an address is by its name alone: any name except `localhost` counts as the internet. */
export function zoneOfHost({ hostname }: URL): number {
  // A name may end with the dot of the root.
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') ? ZONE.thisComputer : zoneOf(host);
}
