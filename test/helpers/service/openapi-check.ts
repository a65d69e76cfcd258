// Compares exchanges with an OpenAPI document.
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Exchange } from './recording-relay.ts';

interface Schema {
  [key: string]: unknown;
}
interface Content {
  content?: { 'application/json': { schema: Schema } };
}
interface OperationObject {
  operationId: string;
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, OperationObject>>;
}

interface KnownOperation {
  method: string;
  path: string;
  operation: OperationObject;
}

export interface DocumentCheck {
  operations: readonly KnownOperation[];
  operationOf(exchange: Pick<Exchange, 'method' | 'path'>): OperationObject | undefined;
  /** What is wrong with an answer by the document; null: the document says nothing about the endpoint. */
  answerFaults(exchange: Exchange): string[] | null;
  /** What is wrong with the body and the query of a request. */
  requestFaults(exchange: Exchange): string[];
}

export const isSuccess = ({ status }: Pick<Exchange, 'status'>) => status >= 200 && status < 400;
const isJson = (type: string) => type.startsWith('application/json');

export function checkAgainst(document: OpenApiDocument): DocumentCheck {
  const known = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
  );
  // Paths without placeholders come first: `/api2/media/count` is not an item.
  known.sort((one, other) => one.path.split('{').length - other.path.split('{').length);
  const faults = validator(document);
  const operationOf: DocumentCheck['operationOf'] = ({ method, path }) =>
    known.find((each) => each.method === method && each.pattern.test(path))?.operation;

  return {
    operations: known,
    operationOf,
    answerFaults(exchange) {
      const operation = operationOf(exchange);
      if (operation === undefined) return null;
      const { status, answerBody, answerType } = exchange;
      const key = `${operation.operationId} ${status}`;
      const response = operation.responses[String(status)];
      if (response === undefined) return [`${key} is not described`];
      const schema = response.content?.['application/json'].schema;
      if (schema === undefined) return isJson(answerType) && answerBody !== '' ? [`${key} has a body`] : [];
      return isJson(answerType) ? faults(key, schema, parsed(answerBody)) : [`${key} is of type ${answerType}`];
    },
    requestFaults(exchange) {
      const operation = operationOf(exchange);
      if (operation === undefined) return [];
      const { operationId, requestBody, parameters = [] } = operation;
      const schema = requestBody?.content?.['application/json'].schema;
      const body = isJson(exchange.requestType) ? parsed(exchange.requestBody) : undefined;
      const inBody = schema === undefined || body === undefined ? [] : faults(`${operationId} body`, schema, body);
      const inQuery = parameters.flatMap(({ in: place, name, schema: rule }) => {
        const text = place === 'query' ? exchange.query.getAll(name).at(-1) : undefined;
        if (text === undefined || text === '') return [];
        return faults(`${operationId} ${name}`, rule, rule.type === 'integer' ? Number(text) : text);
      });
      return [...inBody, ...inQuery];
    },
  };
}

/** Returns a function that returns what is wrong with a value by a schema of the document. `key`: the name of the schema. */
function validator(document: OpenApiDocument): (key: string, schema: Schema, value: unknown) => string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema(JSON.parse(JSON.stringify(document)), 'document');
  const compiled = new Map<string, ValidateFunction>();
  return (key, schema, value) => {
    const text = JSON.stringify(schema).replaceAll('#/components/schemas/', 'document#/components/schemas/');
    const validate = compiled.get(key) ?? ajv.compile(JSON.parse(text));
    compiled.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${key}: ${instancePath} ${message}`);
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
