import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { probeSite } from '../../../../electron/engine/account/site-probe.ts';
import { createTransport } from '../../../../electron/engine/api/transport.ts';
import { startSmallServer } from '../../../helpers/small-server.ts';

function probe(baseUrl: string): Promise<void> {
  const transport = createTransport();
  onTestFinished(() => transport.close());
  return probeSite({ transport, userAgent: 'Mediadesk/test' }, baseUrl);
}

async function answering(status: number, headers: Record<string, string>, body: string) {
  return (await startSmallServer((_, response) => response.writeHead(status, headers).end(body))).url;
}

describe('a site', () => {
  it.each([
    [401, '{"message":"Bad credentials"}'],
    [400, '{"error":"invalid_request","error_description":"no token"}'],
    [403, '{"message":"Forbidden"}'],
  ])('that refuses a missing token with %i %s is a library', async (status, body) => {
    await expect(probe(await answering(status, {}, body))).resolves.toBeUndefined();
  });

  it('is asked without any token', async () => {
    const server = await startSmallServer((_, response) => response.writeHead(401).end('{"message":"x"}'));
    await probe(`${server.url}/library`);
    expect(server.seen[0]).toMatchObject({ method: 'GET', url: '/library/api2/oauth/tokeninfo' });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    ['a web site', 200, '<html><body>Welcome</body></html>'],
    ['a web site without that page', 404, '<html>Not found</html>'],
    ['another API', 404, '{"message":"Not found"}'],
    ['a password prompt', 401, '<html>401 Authorization Required</html>'],
    ['a service that answers everything', 200, '{"message":"ok"}'],
    ['JSON without a word', 401, 'null'],
    ['a proxy', 407, ''],
  ])('that is %s is no library', async (_, status, body) => {
    await expect(probe(await answering(status, {}, body))).rejects.toMatchObject({ code: 'site.not-a-library' });
  });

  it('that sends elsewhere is no library, and the other address is named without being asked', async () => {
    const other = await startSmallServer((_, response) => response.writeHead(401).end('{"message":"x"}'));
    const url = await answering(301, { location: `${other.url}/api2/oauth/tokeninfo?x=1` }, '');
    await expect(probe(url)).rejects.toMatchObject({ code: 'site.not-a-library', details: { redirectsTo: other.url } });
    expect(other.seen).toEqual([]);
  });

  it('that has a fault of its own says so', async () => {
    await expect(probe(await answering(502, {}, '<html>'))).rejects.toMatchObject({ code: 'api.server-error' });
  });

  it('that does not answer is unreachable', async () => {
    const server = await startSmallServer(() => {});
    await server.close();
    await expect(probe(server.url)).rejects.toMatchObject({ code: 'site.unreachable' });
    await expect(probe('https://nowhere.invalid')).rejects.toMatchObject({ code: 'site.unreachable' });
  });

  it('that does not speak HTTP is no library', async () => {
    const server = net.createServer((socket) => socket.end('220 mail.example.org ESMTP\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as net.AddressInfo;
    await expect(probe(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'site.not-a-library' });
  });
});
