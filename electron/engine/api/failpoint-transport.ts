import type { Failpoints } from '../ports/failpoints.ts';
import type { Transport, WireRequest } from './transport.ts';

/** Wraps a transport: each exchange that can change something is a failpoint whose name `exchangeName` returns. */
export function transportWithFailpoints(transport: Transport, failpoints: Failpoints): Transport {
  return {
    ...transport,
    exchange(request) {
      const name = exchangeName(request);
      if (name === null) return transport.exchange(request);
      return failpoints.runAsync(name, () => transport.exchange(request));
    },
  };
}

/**
 * Returns the failpoint name of a request: `api.post.media.id.files` for POST /api2/media/<id>/files, because kinds and
 * identifiers alternate in paths of the API. Other paths are `elsewhere`; reads have no name.
 */
export function exchangeName({ method, url }: Pick<WireRequest, 'method' | 'url'>): string | null {
  if (method === 'GET') return null;
  const [api, ...segments] = url.pathname.split('/').filter((segment) => segment !== '');
  if (api !== 'api2') return `api.${method.toLowerCase()}.elsewhere`;
  const words =
    segments[0] === 'oauth' ? segments : segments.map((segment, index) => (index % 2 === 0 ? segment : 'id'));
  return ['api', method.toLowerCase(), ...words].join('.');
}
