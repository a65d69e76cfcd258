import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recognizeLibrary, redirectedRequest } from '../../../../electron/engine/account/recognize-library.ts';
import { createTransport } from '../../../../electron/engine/api/transport.ts';
import { directConnections } from '../../../helpers/engine/direct-network.ts';
import { startSmallServer } from '../../../helpers/wire/small-server.ts';

function probe(baseUrl: string): Promise<void> {
  const transport = createTransport(directConnections());
  onTestFinished(() => transport.close());
  return recognizeLibrary({ transport, userAgent: 'Mediadesk/test' }, baseUrl);
}

async function answering(status: number, headers: Record<string, string>, body: string) {
  return (await startSmallServer((_, response) => response.writeHead(status, headers).end(body))).url;
}

describe('a site', () => {
  it.each([
    [401, '{"message":"Bad credentials"}'],
    [400, '{"error":"invalid_request","error_description":"no token"}'],
    [403, '{"message":"Forbidden"}'],
  ])('is a library when it refuses a missing token with %i %s', async (status, body) => {
    await expect(probe(await answering(status, {}, body))).resolves.toBeUndefined();
  });

  it('is probed without a token', async () => {
    const server = await startSmallServer((_, response) => response.writeHead(401).end('{"message":"x"}'));
    await probe(`${server.url}/library`);
    expect(server.seen[0]).toMatchObject({ method: 'GET', url: '/library/api2/oauth/tokeninfo' });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    ['a web site', 200, '<html><body>Welcome</body></html>'],
    ['a web site without the requested page', 404, '<html>Not found</html>'],
    ['another API', 404, '{"message":"Not found"}'],
    ['a password prompt', 401, '<html>401 Authorization Required</html>'],
    ['a service that answers every request with 200', 200, '{"message":"ok"}'],
    ['JSON without a message', 401, 'null'],
    ['a proxy that requires a sign-in', 407, ''],
  ])('is no library when it is %s', async (_, status, body) => {
    await expect(probe(await answering(status, {}, body))).rejects.toMatchObject({ code: 'site.not-a-library' });
  });

  it('is no library when it redirects to another host, which is named and not requested', async () => {
    const other = await startSmallServer((_, response) => response.writeHead(401).end('{"message":"x"}'));
    const url = await answering(301, { location: `${other.url}/api2/oauth/tokeninfo?x=1` }, '');
    await expect(probe(url)).rejects.toMatchObject({ code: 'site.not-a-library', details: { redirectsTo: other.url } });
    expect(other.seen).toEqual([]);
  });

  it('is found without a token, and its new address offered, when it moved on the same host', async () => {
    const moved: string[] = ['/library', '/media/library'];
    const server = await startSmallServer(({ url }, response) => {
      const next = moved[url.startsWith('/library') ? 1 : 0];
      if (url.startsWith('/media/library/')) response.writeHead(401).end('{"message":"Bad credentials"}');
      else response.writeHead(302, { location: `${next}/api2/oauth/tokeninfo/` }).end();
    });
    const address = `${server.url}/media/library`;
    await expect(probe(server.url)).rejects.toMatchObject({
      code: 'site.moved',
      details: { address },
      message: expect.stringContaining(address) as string,
    });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
    await expect(probe(address)).resolves.toBeUndefined();
  });

  it('is no library when it redirects endlessly or to an HTML page', async () => {
    const round = await startSmallServer(({ url }, response) => response.writeHead(301, { location: url }).end());
    await expect(probe(round.url)).rejects.toMatchObject({ code: 'site.not-a-library' });
    expect(round.seen.length).toBeLessThan(10);
    const page = await startSmallServer((_, response) => response.writeHead(302, { location: '/login' }).end());
    await expect(probe(page.url)).rejects.toMatchObject({ code: 'site.not-a-library' });
    expect(page.seen).toHaveLength(1);
  });

  const ASKED = 'http://media.example.org/api2/oauth/tokeninfo';
  it.each([
    [ASKED, 'https://media.example.org/api2/oauth/tokeninfo', true],
    [ASKED, 'https://www.media.example.org/api2/oauth/tokeninfo', true],
    ['https://www.a.example/api2/oauth/tokeninfo', 'https://a.example/api2/oauth/tokeninfo', true],
    ['https://a.example/api2/oauth/tokeninfo', '/x/api2/oauth/tokeninfo/', true],
    ['https://a.example/api2/oauth/tokeninfo', 'http://a.example/api2/oauth/tokeninfo', false],
    ['https://a.example/api2/oauth/tokeninfo', 'https://b.example/api2/oauth/tokeninfo', false],
    ['https://a.example/api2/oauth/tokeninfo', 'https://www.a.example.evil.org/api2/oauth/tokeninfo', false],
    ['https://a.example/api2/oauth/tokeninfo', 'https://a.example:8443/api2/oauth/tokeninfo', false],
    ['https://a.example/api2/oauth/tokeninfo', 'https://u:p@a.example/api2/oauth/tokeninfo', false],
    ['https://a.example/api2/oauth/tokeninfo', 'javascript:alert(1)', false],
    ['https://a.example/api2/oauth/tokeninfo', '/login', false],
  ])('that redirects from %s to %s is the same one: %s', (from, location, isSame) => {
    expect(redirectedRequest(new URL(from), { status: 301, headers: { location } }) !== null).toBe(isSame);
  });

  it('is reported as faulty when it answers with a server error', async () => {
    await expect(probe(await answering(502, {}, '<html>'))).rejects.toMatchObject({ code: 'api.server-error' });
  });

  it('is unreachable when it does not answer', async () => {
    const server = await startSmallServer(() => {});
    await server.close();
    await expect(probe(server.url)).rejects.toMatchObject({ code: 'site.unreachable' });
    await expect(probe('https://nowhere.invalid')).rejects.toMatchObject({ code: 'site.unreachable' });
  });

  it('is no library when it does not speak HTTP', async () => {
    const server = net.createServer((socket) => socket.on('error', () => {}).end('220 mail.example.org ESMTP\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as net.AddressInfo;
    await expect(probe(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'site.not-a-library' });
  });
});
