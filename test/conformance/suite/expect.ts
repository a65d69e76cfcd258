import { isDeepStrictEqual } from 'node:util';
import { type Answer, isObject, type Json } from '../http/answer.ts';
import { Failure } from './failure.ts';

type Value = Json | undefined | readonly (Json | undefined)[];

export function check(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Failure(message);
}

export function show(value: Value): string {
  return value === undefined ? 'nothing' : (JSON.stringify(value)?.slice(0, 300) ?? '');
}

/** Checks that two JSON values are equal. */
export function equal(actual: Value, expected: Value, what: string): void {
  check(isDeepStrictEqual(actual, expected), `${what} is ${show(actual)} and not ${show(expected)}.`);
}

/** Checks that two lists have the same elements, in any order. */
export function sameSet(actual: readonly Value[], expected: readonly Value[], what: string): void {
  const sorted = (values: readonly Value[]) => values.map(show).sort();
  equal(sorted(actual), sorted(expected), what);
}

export function has(list: readonly Value[], member: Value, what: string): void {
  check(list.includes(member), `${what} lacks ${show(member)}.`);
}

export function hasNot(list: readonly Value[], member: Value, what: string): void {
  check(!list.includes(member), `${what} holds ${show(member)}.`);
}

export function isString(value: Value, what: string): asserts value is string {
  check(typeof value === 'string', `${what} is ${show(value)} and not a string.`);
}

export function isList(value: Value, what: string): asserts value is Json[] {
  check(Array.isArray(value), `${what} is ${show(value)} and not an array.`);
}

export function hasStatus(answer: Answer, ...statuses: number[]): Answer {
  check(statuses.includes(answer.status), `${statuses.join(' or ')} was expected: ${answer}`);
  return answer;
}

/** Checks that an update or an action succeeded; the API does not specify its body. */
export function done(answer: Answer): Answer {
  check(answer.ok, `A success was expected: ${answer}`);
  return answer;
}

/** Checks that a caller without the permission was refused. The API does not specify the status. */
export function notAllowed(answer: Answer): Answer {
  return hasStatus(answer, 401, 403, 404);
}

/** Checks that an unknown id was refused. The API does not specify the status. */
export function refused(answer: Answer): Answer {
  check(answer.status >= 400 && answer.status < 500, `A 4xx was expected: ${answer}`);
  return answer;
}

/** Checks that a request with a missing or an impossible value was refused as malformed or invalid. */
export function invalid(answer: Answer): Answer {
  hasStatus(answer, 400, 422);
  if (answer.status === 422) hasProblemBody(answer);
  return answer;
}

/** Checks the body of a 422: a message and an array of errors, whose form the API does not specify. */
export function hasProblemBody(answer: Answer): void {
  const { message, errors } = answer.object();
  isString(message, 'message');
  isList(errors, 'errors');
}

export function hasMessage(answer: Answer): void {
  isString(answer.object().message, 'message');
}

/** Checks that the answer is a 204 without a body. */
export function deleted(answer: Answer): void {
  hasStatus(answer, 204);
  equal(answer.text, '', 'The body of the 204');
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

function isTimestamp(value: Json | undefined): boolean {
  return typeof value === 'string' && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value));
}

/** Checks that a timestamp is the server's current time, with a tolerance of two minutes. */
export function isAbout(value: Json | undefined, timeMs: number, what: string): void {
  check(isTimestamp(value), `${what} is ${show(value)} and not a timestamp.`);
  const offS = Math.abs(Date.parse(String(value)) - timeMs) / 1000;
  check(offS <= 120, `${what} is ${show(value)}, ${offS} s away from ${new Date(timeMs).toISOString()}.`);
}

/** The type of a field: a description, and a function that checks a value. */
export interface Type {
  name: string;
  holds(value: Json | undefined): boolean;
}

export const string: Type = { name: 'a string', holds: (value) => typeof value === 'string' };
export const filled: Type = {
  name: 'a string that is not empty',
  holds: (value) => typeof value === 'string' && value !== '',
};
export const integer: Type = { name: 'an integer', holds: (value) => Number.isInteger(value) };
export const boolean: Type = { name: 'a boolean', holds: (value) => typeof value === 'boolean' };
export const timestamp: Type = { name: 'a timestamp (YYYY-MM-DDTHH:MM:SSZ)', holds: isTimestamp };
export const object: Type = { name: 'an object', holds: isObject };
export const path: Type = {
  name: 'a path',
  holds: (value) => typeof value === 'string' && /^(\/|https?:\/\/)/.test(value),
};
export const hms: Type = {
  name: 'a time as HH:MM:SS',
  holds: (value) => typeof value === 'string' && /^\d{2,}:[0-5]\d:[0-5]\d$/.test(value),
};

export function oneOf(...words: string[]): Type {
  return { name: `one of ${words.join(', ')}`, holds: (value) => typeof value === 'string' && words.includes(value) };
}

export function arrayOf(type: Type): Type {
  return { name: `an array of ${type.name}`, holds: (value) => Array.isArray(value) && value.every(type.holds) };
}

/** Returns a type that also allows null. */
export function orNull(type: Type): Type {
  return { name: `${type.name} or null`, holds: (value) => value === null || type.holds(value) };
}

export const nothing: Type = { name: 'null', holds: (value) => value === null };

/** An object with at least these members. */
export function shape(members: Readonly<Record<string, Type>>): Type {
  const parts = Object.entries(members);
  return {
    name: `an object with ${parts.map(([name, type]) => `${name} (${type.name})`).join(', ')}`,
    holds: (value: Json | undefined) => isObject(value) && parts.every(([name, type]) => type.holds(value[name])),
  };
}
