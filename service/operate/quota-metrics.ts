import { reservedBytes, siteUsage, subtreeUsage, userUsage } from '../quotas/usage.ts';
import type { Site } from '../site/site.ts';
import type { LimitReason } from '../site/traffic.ts';
import type { Metric, Sample } from './exposition.ts';

/** A quota of which this share is used is nearly full. */
const NEARLY = 0.9;

/** Returns the metrics of quotas and refusals. No label names a collection or a user. */
export async function quotaMetrics({
  store,
  settings,
  traffic,
}: Pick<Site, 'store' | 'settings' | 'traffic'>): Promise<Metric[]> {
  const { quota_site_bytes: limit, quotas } = settings.current();
  const nearlyFull = { collection: 0, user: 0 };
  for (const quota of quotas) {
    if (quota.bytes === null) continue;
    const isCollection = 'collection_id' in quota;
    const used = isCollection
      ? await subtreeUsage(store, Number(quota.collection_id))
      : await userUsage(store, Number(quota.user_id));
    if (used >= quota.bytes * NEARLY) nearlyFull[isCollection ? 'collection' : 'user'] += 1;
  }
  const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
    name,
    help,
    type: 'gauge',
    samples,
  });
  return [
    gauge(
      'library_quota_bytes',
      'What all files may have; none without a quota of the site.',
      limit === null ? [] : [{ value: limit }],
    ),
    gauge('library_quota_used_bytes', 'What all files have, with encodings and uploads under way.', [
      { value: await siteUsage(store) },
    ]),
    gauge('library_quota_reserved_bytes', 'The declared sizes of uploads under way.', [
      { value: await reservedBytes(store) },
    ]),
    gauge(
      'library_quotas_nearly_full',
      'Quotas of which nine tenths are used.',
      Object.entries(nearlyFull).map(([scope, value]) => ({ labels: { scope }, value })),
    ),
    {
      name: 'library_refused_total',
      help: 'Requests refused for lack of room, or because there were too many.',
      type: 'counter',
      samples: (Object.keys(traffic.refusals) as LimitReason[]).map((reason) => ({
        labels: { reason },
        value: traffic.refusals[reason],
      })),
    },
  ];
}
