import type { RequestObserver } from '../site/observer.ts';
import type { Metric, Sample } from './exposition.ts';

/** Upper limits of the buckets of durations, in seconds. An upload or a download may take hours. */
const BUCKETS_S = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600];
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** By the first digit of a status. */
const CLASSES: readonly string[] = ['0xx', '1xx', '2xx', '3xx', '4xx', '5xx'];
/** Routes and methods are known, so there are a few hundred series. More than this would be an error of ours. */
const MAX_SERIES = 1000;

interface Series {
  labels: { method: string; route: string };
  /** Number of answers by class of status. */
  classes: Map<string, number>;
  buckets: number[];
  sumS: number;
  count: number;
}

/** Counts requests by method and template of the route. No label contains a name, an id, or anything else that a client chooses. */
export function createRequestMetrics(): { observe: RequestObserver; metrics(): Metric[] } {
  const series: Series[] = [];
  // By route, then by method: a key of both would be made for each request.
  const byRoute = new Map<string, Map<string, Series>>();

  function seriesOf(givenMethod: string, givenRoute: string | null): Series {
    const known = byRoute.get(givenRoute ?? 'unknown')?.get(givenMethod);
    if (known !== undefined) return known;
    const method = METHODS.has(givenMethod) ? givenMethod : 'other';
    const route = series.length < MAX_SERIES ? (givenRoute ?? 'unknown') : 'unknown';
    const methods = byRoute.get(route) ?? new Map<string, Series>();
    const kept = methods.get(method);
    if (kept !== undefined) return kept;
    const fresh = { labels: { method, route }, classes: new Map(), buckets: BUCKETS_S.map(() => 0), sumS: 0, count: 0 };
    byRoute.set(route, methods.set(method, fresh));
    series.push(fresh);
    return fresh;
  }

  return {
    observe({ method, route, status, durationMs }) {
      const one = seriesOf(method, route);
      const name = statusClass(status);
      one.classes.set(name, (one.classes.get(name) ?? 0) + 1);
      const seconds = durationMs / 1000;
      const bucket = BUCKETS_S.findIndex((limit) => seconds <= limit);
      if (bucket >= 0) one.buckets[bucket] = (one.buckets[bucket] ?? 0) + 1;
      one.sumS += seconds;
      one.count += 1;
    },
    metrics() {
      const all = series;
      return [
        {
          name: 'library_http_requests_total',
          help: 'Requests, by method, template of the route and class of status; "closed" without a complete answer.',
          type: 'counter',
          samples: all.flatMap(({ labels, classes }) =>
            [...classes].map(([status, value]) => ({ labels: { ...labels, status }, value })),
          ),
        },
        {
          name: 'library_http_request_duration_seconds',
          help: 'Time from the headers of a request to the end of its answer.',
          type: 'histogram',
          samples: all.flatMap(durationSamples),
        },
      ];
    },
  };
}

function statusClass(status: number | null): string {
  return status === null ? 'closed' : (CLASSES[Math.floor(status / 100)] ?? 'other');
}

function durationSamples({ labels, buckets, sumS, count }: Series): Sample[] {
  let below = 0;
  const filled = buckets.map((value, index): Sample => {
    below += value;
    return { suffix: '_bucket', labels: { ...labels, le: String(BUCKETS_S[index]) }, value: below };
  });
  return [
    ...filled,
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sumS },
    { suffix: '_count', labels, value: count },
  ];
}
