import type { FastifyReply } from 'fastify';
import type { Dialect, DialectSource } from './dialect.ts';
import { escapeHtml } from './escape-html.ts';
import type { FieldProblem, Problem } from './problem.ts';

/** Answers a creation: 201 with a Location and the body that the dialect defines. */
export function created(reply: FastifyReply, site: DialectSource, path: string, body: unknown): FastifyReply {
  return reply.code(201).header('location', locationOf(site, path)).send(body);
}

export function locationOf(site: DialectSource, path: string): string {
  return site.dialect().location === 'absolute' ? site.baseUrl + path : path;
}

/** Answers an update or an action. The API does not specify the body of the answer, so the dialect defines it. */
export async function updated(
  reply: FastifyReply,
  site: DialectSource,
  resource: () => unknown,
): Promise<FastifyReply> {
  switch (site.dialect().updateBody) {
    case 'no-content':
      return reply.code(204).send();
    case 'message':
      return reply.send({ message: 'ok' });
    default:
      return reply.send(await resource());
  }
}

export function deleted(reply: FastifyReply): FastifyReply {
  return reply.code(204).send();
}

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

function fieldErrors(dialect: Dialect, fields: readonly FieldProblem[]): unknown {
  switch (dialect.fieldErrors) {
    case 'strings':
      return fields.map(({ field, message }) => `${field}: ${message}`);
    case 'by-field':
      return [Object.fromEntries(fields.map(({ field, message }) => [field, [message]]))];
    default:
      return fields;
  }
}
