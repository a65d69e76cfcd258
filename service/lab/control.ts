import { createHash } from 'node:crypto';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { registerClient } from '../app/config.ts';
import { doDueWork } from '../app/due-work.ts';
import { findFile } from '../resources/files/file-row.ts';
import { sameText } from '../secrets/signer.ts';
import type { Site } from '../site/site.ts';
import { createHostCheck } from '../wire/host.ts';
import type { FaultRegister } from './faults.ts';
import { type LabSettingsHolder, splitSettings } from './lab-settings.ts';

/** Creates the control port of tests: on loopback only, protected by its own token. */
export function createControl(
  site: Site,
  { faults, settings }: { faults: FaultRegister; settings: LabSettingsHolder },
  token: string,
): FastifyInstance {
  const allSettings = () => ({ ...site.settings.current(), ...settings.current() });
  const app = Fastify({ forceCloseConnections: true });
  const isOwnHost = createHostCheck(() => '', '127.0.0.1');
  app.addHook('onRequest', async (request, reply) => {
    if (!isOwnHost(request.raw)) return reply.code(421).send({ message: 'The control port has loopback names only.' });
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!sameText(given, token)) return reply.code(401).send({ message: 'The control token is not right.' });
  });
  app.setErrorHandler((error: FastifyError | z.ZodError, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(422).send({ message: z.prettifyError(error) });
    return reply.code(error.statusCode ?? 500).send({ message: error.message });
  });

  app.get('/settings', allSettings);
  app.patch('/settings', async (request) => {
    const { own, others } = splitSettings(request.body);
    await site.settings.patch(others);
    await settings.patch(own);
    await doDueWork(site);
    return allSettings();
  });
  app.post('/clients', async (request, reply) => {
    await registerClient(site.store, request.body);
    return reply.code(204).send();
  });

  app.get('/faults', () => ({ items: faults.list() }));
  app.post('/faults', (request, reply) => reply.code(201).send(faults.add(request.body)));
  app.delete('/faults', (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
  app.delete('/faults/:id', (request, reply) => {
    faults.clear(Number((request.params as { id: string }).id));
    return reply.code(204).send();
  });

  app.get('/journal', (request) => {
    const { after = '0' } = request.query as { after?: string };
    return { items: site.journal.entries(Number(after) || 0) };
  });
  app.delete('/journal', (_request, reply) => {
    site.journal.clear();
    return reply.code(204).send();
  });

  app.get('/files/:id/sha256', async (request, reply) => {
    const row = await findFile(site.store, Number((request.params as { id: string }).id));
    if (!row?.stored_name) return reply.code(404).send({ message: 'No bytes are stored for this file.' });
    const sha256 = await hashOf(site, row.stored_name, row.size);
    return {
      sha256,
      size: row.size,
      status: row.status,
      received_name: row.received_name,
      error_reason: row.error_reason,
    };
  });
  return app;
}

async function hashOf({ blobs }: Site, name: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  if (size > 0) for await (const chunk of await blobs.read(name, { start: 0, end: size - 1 })) hash.update(chunk);
  return hash.digest('hex');
}
