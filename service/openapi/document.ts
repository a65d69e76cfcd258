import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { ANSWERS, REFUSAL, TOKEN_REFUSAL } from './answers.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { PARAMETERS } from './parameters.ts';

const TOKEN_ENDPOINT = 'getToken';
/** Endpoints that take no access token. */
const OPEN: ReadonlySet<string> = new Set(['viewMedia', 'embedMedia', 'getEmbedTemplate', TOKEN_ENDPOINT]);

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The access token is missing, expired or revoked.',
  403: 'The caller may not do this.',
  404: 'There is no such resource, or the caller may not see it.',
  409: 'The state of the library does not allow it.',
  422: 'A value is invalid; errors names the field.',
  507: 'The drive of the library is almost full; Retry-After says when to try again.',
  429: 'Too many requests; Retry-After says when to try again.',
  503: 'Changes are disabled at present, or the service is stopping.',
};

/** Returns the OpenAPI 3.1 document of the service at this address. It describes the service without settings of tests. */
export function openApiDocument(baseUrl: string) {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Media library',
      version: '2',
      description:
        'Lists come in pages: follow links.next. Fields of a body that are not listed here are ignored. Errors 500, 502 and 503 can be retried after 5 × 2^n seconds.',
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: paths(),
  });
}

function paths(): ZodOpenApiPathsObject {
  const all: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [endpoint, operation] of Object.entries(OPERATIONS)) {
    const [method = '', route = ''] = endpoint.split(' ');
    const path = templateOf(route);
    all[path] = { ...all[path], [method.toLowerCase()]: operationObject(operation, route) };
  }
  return all;
}

/** Returns a route's path as the document writes it: `{id}` for `:id`. */
function templateOf(route: string): string {
  return route.replaceAll(/:(\w+)/g, '{$1}');
}

function operationObject(operation: Operation, route: string): ZodOpenApiOperationObject {
  const { id, summary, query, body, answers, access } = operation;
  const names = [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const isOpen = OPEN.has(id);
  const refusals = [
    ...(isOpen ? [] : [401, 403]),
    // The query of the tree names a collection, too.
    ...(names.length > 0 || query === 'tree' ? [404] : []),
    ...(body === undefined && query === undefined && !isOfPodcast(route) ? [] : [400, 422]),
    ...(isChange(answers, body) ? [409, 503] : []),
    ...(body !== undefined && /\/(files|thumbs)$/.test(route) ? [507] : []),
    429,
  ];
  return {
    operationId: id,
    summary,
    description: access,
    ...(isOpen ? { security: [] } : {}),
    requestParams: {
      ...(names.length === 0 ? {} : { path: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) }),
      ...(query === undefined ? {} : { query: z.object(PARAMETERS[query]).partial() }),
    },
    ...(body === undefined ? {} : { requestBody: bodyObject(body) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, name]) => [status, answerObject(Number(status), name)]),
      ),
      ...Object.fromEntries(refusals.map((status) => [status, refusalObject(status, id)])),
    },
  };
}

/** A request without a body counts as one with an empty object: the body is required when that object is refused. */
function bodyObject(schema: z.ZodType) {
  return { required: !schema.safeParse({}).success, content: { 'application/json': { schema } } };
}

/** A collection that is no podcast has no such details, also for a request without a body. */
function isOfPodcast(route: string): boolean {
  return route.endsWith('/podcast-details');
}

function isChange(answers: Operation['answers'], body: Operation['body']): boolean {
  return body !== undefined || 204 in answers;
}

function answerObject(status: number, name: Operation['answers'][number]) {
  const hasLocation = status === 201 || status === 302;
  const headers = {
    Location: { schema: { type: 'string' as const }, description: 'A path of the site, or an address.' },
  };
  return {
    description: status === 302 ? 'Redirects.' : 'Success.',
    ...(hasLocation ? { headers } : {}),
    ...(name === null || name === undefined ? {} : { content: { 'application/json': { schema: ANSWERS[name] } } }),
  };
}

function refusalObject(status: number, id: string) {
  const schema = id === TOKEN_ENDPOINT && status !== 429 ? TOKEN_REFUSAL : REFUSAL;
  return { description: REASONS[status] ?? 'Refused.', content: { 'application/json': { schema } } };
}
