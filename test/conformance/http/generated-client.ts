import { pathToFileURL } from 'node:url';
import type { RequestOptions, SentRequest, Transport } from './site.ts';

/** How a function of a client that oazapfts generated answers. */
interface ClientAnswer {
  status: number;
  headers: Headers;
  /** The decoded body; for an answer that is not JSON its text. */
  data: unknown;
}
type ClientFunction = (...args: unknown[]) => Promise<ClientAnswer>;

interface OperationObject {
  operationId: string;
  parameters?: readonly { in: string; name: string }[];
  requestBody?: object;
}
interface Described extends OperationObject {
  method: string;
  /** Matches the path of the operation; its groups are the parameters of the path. */
  pattern: RegExp;
}

/** What was sent through the client, and what was not. */
export interface ClientReport {
  /** For each operation of the document, how often each status was the answer. */
  calls: Record<string, Record<number, number>>;
  /** Requests that the client can't express, by reason. */
  otherwise: Record<string, number>;
}

/** Sends the requests of the suite through a generated client. */
export interface GeneratedClient extends Transport {
  report: ClientReport;
}

/**
 * Loads a client that oazapfts generated from the OpenAPI document of a site (positional arguments), and reads the document
 * (`/openapi.json`) to find the function for each request. Throws when one of both is missing, or an operation has no function.
 */
export async function openGeneratedClient(file: string, baseUrl: string): Promise<GeneratedClient> {
  const functions = (await import(pathToFileURL(file).href)) as Record<string, ClientFunction | undefined>;
  const operations = describedBy(await (await fetch(`${baseUrl}/openapi.json`)).json());
  const report: ClientReport = { calls: {}, otherwise: {} };
  for (const { operationId } of operations) {
    if (typeof functions[operationId] !== 'function') throw new Error(`The client has no function ${operationId}.`);
    report.calls[operationId] = {};
  }
  return {
    report,
    async send(request) {
      const call = callFor(request, operations, baseUrl);
      if (typeof call === 'string') {
        report.otherwise[call] = (report.otherwise[call] ?? 0) + 1;
        return null;
      }
      const { token, headers } = request.options;
      const sent = { ...(token == null ? {} : { authorization: `Bearer ${token}` }), ...headers };
      const settings = { baseUrl, redirect: 'manual', signal: request.signal, headers: sent };
      const answer = await functions[call.operationId]?.(...call.args, settings);
      if (answer === undefined) throw new Error(`The client has no answer of ${call.operationId}.`);
      const counts = report.calls[call.operationId] ?? {};
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
      return { status: answer.status, headers: answer.headers, text: textOf(answer) };
    },
  };
}

function describedBy(document: unknown): Described[] {
  const { paths } = document as { paths: Record<string, Record<string, OperationObject>> };
  const all = Object.entries(paths).flatMap(([path, methods]) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
    const weight = path.split('{').length;
    return Object.entries(methods).map(([method, each]) => ({
      ...each,
      method: method.toUpperCase(),
      pattern,
      weight,
    }));
  });
  // Paths without parameters come first: `/api2/media/count` is no item.
  return all.toSorted((one, other) => one.weight - other.weight);
}

/** Returns the call of the client that sends a request, or the reason why no call does. */
function callFor(
  { method, url, options }: SentRequest,
  operations: readonly Described[],
  baseUrl: string,
): { operationId: string; args: unknown[] } | string {
  if (!url.startsWith(baseUrl)) return 'another address';
  const { pathname, searchParams } = new URL(url);
  const operation = operations.find((each) => each.method === method && each.pattern.test(pathname));
  if (operation === undefined) return pathname.startsWith('/api2/') ? 'no operation' : 'not of the API';
  const fault = faultOf(operation, options, searchParams);
  if (fault !== null) return fault;
  const values = (operation.pattern.exec(pathname) ?? []).slice(1).map(decodeURIComponent);
  const names = queryNames(operation);
  const query = Object.fromEntries([...searchParams].map(([name, value]) => [argumentName(name), value]));
  const args: unknown[] = [...values];
  if (operation.requestBody !== undefined) args.push(options.body);
  if (names.size > 0) args.push(query);
  return { operationId: operation.operationId, args };
}

/** Why the function of an operation can't send a request; null: it can. */
function faultOf(operation: Described, { raw, form, body }: RequestOptions, query: URLSearchParams): string | null {
  if (raw !== undefined || form !== undefined) return 'a body that is no JSON value';
  if (operation.requestBody === undefined ? body !== undefined : body === null) return 'a body without a description';
  const given = [...query.keys()];
  if (new Set(given).size < given.length) return 'a repeated parameter';
  const names = queryNames(operation);
  return given.every((name) => names.has(name)) ? null : 'a parameter without a description';
}

function queryNames({ parameters = [] }: OperationObject): Set<string> {
  return new Set(parameters.filter((each) => each.in === 'query').map(({ name }) => name));
}

/** The name that oazapfts gives to a parameter: `perPage` for `per_page`, `p` for `_p`, `$type` for `type`. */
function argumentName(name: string): string {
  const camel = name.replace(/^_/, '').replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel === 'type' ? '$type' : camel;
}

function textOf({ data, headers }: ClientAnswer): string {
  const isDecoded = headers.get('content-type')?.includes('json') === true && data !== null;
  return isDecoded ? JSON.stringify(data) : String(data ?? '');
}
