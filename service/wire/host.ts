import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const ANY_ADDRESS = ['0.0.0.0', '::', '[::]'];

/**
 * Creates the check of a request's `Host` against DNS rebinding: a page of another site can let its own host name resolve
 * to this machine, so that the browser lets it read the answers; such requests carry that name. Accepted are the name
 * of the base URL, the name or address that the service listens on, and the loopback names when it listens there. A
 * service that listens on every address also accepts the local address of the connection, which no name can imitate.
 *
 * Ports are not compared: forwarded ports (`ssh -L`, a container) are legitimate, and give a foreign name no access.
 */
export function createHostCheck(baseUrl: () => string, listenHost: string): (request: IncomingMessage) => boolean {
  const listensAnywhere = ANY_ADDRESS.includes(listenHost);
  const own = nameOf(listenHost.includes(':') && !listenHost.startsWith('[') ? `[${listenHost}]` : listenHost);
  const local = listensAnywhere || LOOPBACK_NAMES.includes(own ?? '') ? LOOPBACK_NAMES : [];
  return (request) => {
    const { rawHeaders } = request;
    const given = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
    const name = given.length === 1 ? nameOf(given[0] ?? '') : undefined;
    if (name === undefined) return false;
    if (local.includes(name) || name === own || name === hostOf(baseUrl())) return true;
    return listensAnywhere && isLocalAddress(name, request.socket.localAddress ?? '');
  };
}

/** Returns the host name in a `Host` header, normalized as in URLs; undefined for anything but a name and a port. */
function nameOf(host: string): string | undefined {
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)) return undefined;
  return URL.parse(`http://${host}`)?.hostname;
}

function hostOf(url: string): string | undefined {
  return URL.parse(url)?.hostname;
}

function isLocalAddress(name: string, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) !== 0 && name === nameOf(isIP(plain) === 6 ? `[${plain.split('%', 1)[0]}]` : plain);
}
