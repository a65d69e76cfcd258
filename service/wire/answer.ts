import type { FastifyReply } from 'fastify';
import type { Dialect, DialectSource } from './dialect.ts';
import { escapeHtml } from './escape-html.ts';
import type { Problem, RefusedField } from './problem.ts';

/** The answer to a request that changes something, sent when the change is durable. */
export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Absent: the answer has no body. */
  body?: unknown;
}

export function sendAnswer(reply: FastifyReply, { status, headers = {}, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

/** Answers a creation: 201 with a Location and the body that the dialect defines. */
export function created(site: DialectSource, path: string, body: unknown): Answer {
  return { status: 201, headers: { location: locationOf(site, path) }, body };
}

function locationOf(site: DialectSource, path: string): string {
  return site.dialect().location === 'absolute' ? site.baseUrl + path : path;
}

/** Answers an update or an action. The API does not specify the body of the answer, so the dialect defines it. */
export async function updated(site: DialectSource, resource: () => unknown): Promise<Answer> {
  switch (site.dialect().updateBody) {
    case 'no-content':
      return { status: 204 };
    case 'message':
      return { status: 200, body: { message: 'ok' } };
    default:
      return { status: 200, body: await resource() };
  }
}

/** Answers a deletion. */
export const DELETED: Answer = { status: 204 };

/** Answers an error in the form that the dialect defines for its status. */
export function refuse(reply: FastifyReply, dialect: Dialect, problem: Problem): FastifyReply {
  const { status, message } = problem;
  reply.headers(problem.headers);
  if (problem.lacksPermission) {
    reply.code(dialect.forbidden.status);
    return dialect.forbidden.body === 'html' ? html(reply, message) : reply.send({ message });
  }
  reply.code(status);
  if (status === 404) {
    if (dialect.notFound === 'none') return reply.send();
    return dialect.notFound === 'html' ? html(reply, message) : reply.send({ message });
  }
  if (status === 422) return reply.send({ message, errors: fieldErrors(dialect, problem.fields), ...problem.more });
  return reply.send({ message });
}

function html(reply: FastifyReply, message: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><title>Error</title><p>${escapeHtml(message)}</p>`);
}

function fieldErrors(dialect: Dialect, fields: readonly RefusedField[]): unknown {
  switch (dialect.fieldErrors) {
    case 'strings':
      return fields.map(({ field, message }) => `${field}: ${message}`);
    case 'by-field':
      return [Object.fromEntries(fields.map(({ field, message }) => [field, [message]]))];
    default:
      return fields;
  }
}
