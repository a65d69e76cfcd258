import { describe, expect, test } from 'vitest';
import { type PublishState, published } from '../../../../service/resources/media/media-publish.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';

const NOW = 1_800_000_000;
const PAST = NOW - 5000;
const FUTURE = NOW + 5000;
const STATES: PublishState['status'][] = ['draft', 'scheduled', 'published'];

describe.each(STATES)('the state table, from %s', (status) => {
  test('keeps the current date when a publish has none', () => {
    expect(published({ status, publish_on: PAST }, undefined, NOW)).toEqual({ status: 'published', publish_on: PAST });
    expect(published({ status, publish_on: FUTURE }, undefined, NOW)).toEqual({
      status: 'published',
      publish_on: FUTURE,
    });
  });

  test('publishes immediately when the date is the current time', () => {
    expect(published({ status, publish_on: null }, NOW, NOW)).toEqual({ status: 'published', publish_on: NOW });
  });
});

const service = await serviceOfFile();
const admin = await clientFor(service);

const inSeconds = (seconds: number) => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;

test('a scheduled item is published when it is due, and keeps that date', async () => {
  const item = await admin.createItem('Scheduled');
  const when = inSeconds(600);
  expect((await admin.post(`${item}/publish`, { publish_on: when })).body).toMatchObject({
    status: 'scheduled',
    publish_on: when,
  });
  await service.control('PATCH', '/settings', { clock_offset_ms: 590_000 });
  expect((await admin.get(item)).body.status).toBe('scheduled');
  await service.control('PATCH', '/settings', { clock_offset_ms: 602_000 });
  expect((await admin.get(item)).body).toMatchObject({ status: 'published', publish_on: when });
  await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
});

test('an item is not published when it was unpublished before its date', async () => {
  const item = await admin.createItem('Withdrawn');
  await admin.post(`${item}/publish`, { publish_on: inSeconds(60) });
  await admin.post(`${item}/unpublish`);
  await service.control('PATCH', '/settings', { clock_offset_ms: 120_000 });
  expect((await admin.get(item)).body.status).toBe('draft');
  await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
});
