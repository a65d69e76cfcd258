import { rm } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FILE_PARAM, postParams, type UploadGrant } from '../signed-urls/upload-descriptor.ts';
import type { JournalEffect, JournalEntry } from '../site/journal.ts';
import { checkSpaceOfUpload, type Site } from '../site/site.ts';
import { createFileSink } from '../storage/file-sink.ts';
import { sendContinue } from '../wire/expect-continue.ts';
import { badRequest, conflict, stopping } from '../wire/problem.ts';
import { discardBody } from '../wire/refused-body.ts';
import { admitUpload, checkUploadAllowed } from './admit-upload.ts';
import { completesOnArrival, completeUpload, storeUploadedFile } from './file-arrival.ts';
import { receiveForm } from './receive-form.ts';
import { storeUploadedThumb } from './thumb-arrival.ts';

type EntryOf = (request: FastifyRequest) => JournalEntry;

/**
 * Registers the upload destination and the request that completes an upload. Neither belongs to the API nor needs an access
 * token: the URLs are signed. In read-only mode, the destination still accepts the bytes of media files, which were approved
 * before. Requests that complete an upload, and thumbnails, which are in use immediately, change the library and are refused.
 */
export function registerUploads(app: FastifyInstance, site: Site, entryOf: EntryOf): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  app.post('/upload/:token', async (request, reply) => {
    const { token } = request.params as { token: string };
    const entry = entryOf(request);
    try {
      if (site.traffic.phase !== 'serving') throw stopping();
      await acceptUpload(site, request, reply, token, entry);
    } catch (error) {
      void discardBody(request.raw);
      throw error;
    }
    return answer(site, reply);
  });

  app.post('/postprocess/:token', async (request, reply) => {
    const { token } = request.params as { token: string };
    sendContinue(request.raw, reply.raw);
    const type = request.headers['content-type'] ?? '';
    if (
      site.dialect().completion === 'postprocess-form-only' &&
      !type.startsWith('application/x-www-form-urlencoded')
    ) {
      void discardBody(request.raw);
      throw badRequest('The request must be a form.');
    }
    request.raw.resume();
    await completeUpload(site, token, (effect) => entryOf(request).effects.push(effect));
    return reply.code(204).send();
  });
}

async function acceptUpload(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  entry: JournalEntry,
) {
  const length = request.headers['content-length'];
  const grant = await admitUpload(site, token, length === undefined ? undefined : Number(length));
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw badRequest('The body must be multipart/form-data.');
  }
  const turn = await site.arrivals.takeTurn(grant.k === 'thumb' ? `thumb ${grant.u}` : `file ${grant.id}`);
  try {
    // Meanwhile, the earlier upload may have been stored, a later one may have begun, and the client may have disconnected.
    await checkUploadAllowed(site, grant);
    if (turn.signal.aborted) throw conflict('A later upload of the same file has begun.');
    if (request.raw.destroyed) throw badRequest('The client went away before the upload began.');
    checkSpaceOfUpload(site, grant.size);
    sendContinue(request.raw, reply.raw);
    await receiveAndStore(site, request, token, grant, entry, turn.signal);
  } finally {
    turn.end();
  }
}

/** Receives the form and stores its file. Closes the connection when no byte arrives for `abandoned_minutes`. */
async function receiveAndStore(
  site: Site,
  request: FastifyRequest,
  token: string,
  grant: UploadGrant,
  entry: JournalEntry,
  signal: AbortSignal,
) {
  const isFile = grant.k === 'file';
  const { socket } = request.raw;
  const cut = () => void request.raw.destroy();
  socket.setTimeout(site.settings.current().abandoned_minutes * 60_000, cut);
  if (isFile) site.arrivals.begin(grant.id, site.now(), grant.size);
  const uploadEnds = site.traffic.uploadBegins();
  let isStored = false;
  const incoming = isFile ? site.blobs.receive(grant.size) : undefined;
  const picture = site.scratch.path();
  try {
    const { fileName } = await receiveForm(request.raw, {
      fileParam: FILE_PARAM,
      fields: postParams(token, grant),
      sizeBytes: grant.size,
      openSink: (events) => incoming?.open(events) ?? createFileSink(picture, grant.size, false, events),
      onBytes: (bytes) => {
        site.traffic.uploaded(bytes);
        site.space.taken(bytes);
        if (isFile && site.arrivals.bytes(grant.id, site.now(), bytes)) noteActivity(site, grant.id);
      },
      signal,
      log: site.log,
    });
    const effect = (each: JournalEffect) => void entry.effects.push(each);
    if (incoming) await storeUploadedFile(site, grant, incoming, fileName, effect);
    else await storeUploadedThumb(site, grant, picture, effect);
    isStored = true;
    if (isFile && !completesOnArrival(site)) site.traffic.uploadArrived(grant.id);
  } finally {
    // Removes the listener too, because the connection may carry many uploads.
    socket.setTimeout(0, cut);
    uploadEnds();
    if (isFile) await endArrival(site, grant.id, isStored);
    await incoming?.discard();
    await rm(picture, { force: true });
  }
}

/** Another process must not take an upload for abandoned whose bytes come here. */
function noteActivity(site: Site, fileId: number): void {
  const at = Math.floor(site.now());
  site.store
    .run('UPDATE files SET activity_at = ? WHERE id = ? AND activity_at < ?', at, fileId, at)
    .catch((error) =>
      site.log('the time of an upload could not be written', { file_id: fileId, error: String(error) }),
    );
}

/**
 * Stores the time of the last byte: an upload counts as abandoned `abandoned_minutes` after it. A stored upload has already
 * recorded this time.
 */
async function endArrival(site: Site, fileId: number, isStored: boolean): Promise<void> {
  const lastAt = site.arrivals.lastAt(fileId);
  site.arrivals.end(fileId);
  if (lastAt !== undefined && !isStored) {
    const at = Math.floor(lastAt);
    await site.store.run('UPDATE files SET activity_at = ? WHERE id = ? AND activity_at < ?', at, fileId, at);
  }
}

function answer(site: Site, reply: FastifyReply): FastifyReply {
  switch (site.dialect().uploadAnswer) {
    case 200:
      return reply.type('text/html; charset=utf-8').send('<!doctype html><title>Uploaded</title><p>Uploaded.</p>');
    case 303:
      return reply.redirect('/uploaded', 303);
    default:
      return reply.code(204).send();
  }
}
