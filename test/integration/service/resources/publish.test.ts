import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PublishState, published, unpublished } from '../../../../service/resources/media/media-publish.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

const NOW = 1_800_000_000;
const PAST = NOW - 5000;
const FUTURE = NOW + 5000;
const STATES: PublishState['status'][] = ['draft', 'scheduled', 'published'];

describe.each(STATES)('the state table, from %s', (status) => {
  test('sets the current time when a publish has no date and there was none', () => {
    expect(published({ status, publish_on: null }, undefined, NOW)).toEqual({ status: 'published', publish_on: NOW });
  });

  test('keeps the current date when a publish has none', () => {
    expect(published({ status, publish_on: PAST }, undefined, NOW)).toEqual({ status: 'published', publish_on: PAST });
    expect(published({ status, publish_on: FUTURE }, undefined, NOW)).toEqual({
      status: 'published',
      publish_on: FUTURE,
    });
  });

  test('sets the current time when a publish has a past date: no backdating', () => {
    expect(published({ status, publish_on: null }, PAST, NOW)).toEqual({ status: 'published', publish_on: NOW });
    expect(published({ status, publish_on: FUTURE }, PAST, NOW)).toEqual({ status: 'published', publish_on: NOW });
  });

  test('publishes immediately when the date is the current time', () => {
    expect(published({ status, publish_on: null }, NOW, NOW)).toEqual({ status: 'published', publish_on: NOW });
  });

  test('schedules when the date is in the future', () => {
    expect(published({ status, publish_on: PAST }, FUTURE, NOW)).toEqual({ status: 'scheduled', publish_on: FUTURE });
  });

  test('makes an unpublished item a draft that keeps its date', () => {
    expect(unpublished({ status, publish_on: FUTURE })).toEqual({ status: 'draft', publish_on: FUTURE });
  });
});

let service: ServiceProcess;
let admin: ServiceClient;
beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
});
afterAll(() => service.stop());

const inSeconds = (seconds: number) => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;

test('a new item is a draft without a date', async () => {
  const { body } = await admin.get(await admin.createItem('New'));
  expect(body).toMatchObject({ status: 'draft', publish_on: null });
});

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

test('unpublishing a visible item without media-publish is refused with 403', async () => {
  const item = await admin.createItem('Public');
  await admin.post(`${item}/publish`);
  const viewer = await clientFor(service, 'viewer');
  expect((await viewer.post(`${item}/unpublish`)).status).toBe(403);
});

test.each([
  ...['tomorrow', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', 5, true, {}, '2030-01-01T00:00:00+24:00'],
  ...['2030-01-01T00:00:00+01:60', '9999-12-31T23:59:59-01:00', '0999-01-01T00:00:00Z', '+010000-01-01T00:00:00Z'],
])('a publish_on of %j is refused with 422', async (value) => {
  const item = await admin.createItem('Dates');
  const answer = await admin.post(`${item}/publish`, { publish_on: value });
  expect(answer.status).toBe(422);
  expect(answer.body.errors[0].field).toBe('publish_on');
  expect((await admin.get(item)).body.status).toBe('draft');
});
