import { describe, expect, it } from 'vitest';
import { completeAddress } from '../../../../../renderer/features/sign-in/address.ts';
import { CallError } from '../../../../../renderer/kit/bridge/bridge.ts';
import {
  detailLines,
  errorText,
  fieldErrorsOf,
  isOwnChoice,
  signInFieldOf,
  toErrorData,
} from '../../../../../renderer/kit/text/errors.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../../../shared/contract/errors/error-catalog.ts';

const invalid = (errors: unknown) => ({ code: 'api.invalid', message: 'm', nextStep: null, details: { errors } });

describe('the display of errors', () => {
  it('shows an error of the engine unchanged', () => {
    const data = { code: 'api.forbidden', message: 'No.', nextStep: 'Ask.', details: null };
    expect(toErrorData(new CallError(data))).toBe(data);
  });

  it('shows any other error as an internal error with its reason', () => {
    expect(toErrorData(new TypeError('x is undefined'))).toMatchObject({
      code: 'internal',
      details: { reason: 'x is undefined' },
    });
  });

  it.each([
    ['a list of fields', [{ field: 'title', message: 'Too long.' }]],
    ['messages by field', [{ title: ['Too long.'] }]],
    ['one object', { title: 'Too long.' }],
    ['a sentence that names it', ['title: too long.']],
  ])('finds the field in %s', (_shape, errors) => {
    expect(fieldErrorsOf(invalid(errors), ['title'])).toEqual({ fields: { title: 'Too long.' }, general: [] });
  });

  it('keeps messages that belong to no shown field', () => {
    const errors = [
      'Something.',
      'title and more.',
      { field: 'slug', message: 'Taken.' },
      { message: 'No field.' },
      7,
      null,
    ];
    expect(fieldErrorsOf(invalid(errors), ['title'])).toEqual({
      fields: {},
      general: ['Something.', 'title and more.', 'slug: Taken.', 'No field.'],
    });
  });

  it('joins several messages for one field', () => {
    expect(fieldErrorsOf(invalid([{ title: ['A.', 'B.'] }]), ['title']).fields).toEqual({ title: 'A. B.' });
  });

  it('finds no message when there is none', () => {
    expect(fieldErrorsOf({ details: null }, ['title'])).toEqual({
      fields: {},
      general: [],
    });
  });

  it('shows details as lines, never as JSON', () => {
    const details = { status: 403, requestPath: '/api2', errors: [{}], deep: { a: 1 }, none: null };
    expect(detailLines({ details })).toEqual([
      { label: 'Status', text: '403' },
      { label: 'Request path', text: '/api2' },
    ]);
  });

  it.each([
    [
      'the message and the fields of the library',
      { message: 'No.', errors: ['size: too large'] },
      'No. size: too large',
    ],
    ['the words of the upload server', { status: 413, answer: 'Too large.' }, 'Too large.'],
    ['its next step when there is no answer', { status: 422 }, 'See the details.'],
  ])('shows, where there are no details, a refusal with %s', (_what, details, text) => {
    const error = { message: 'Refused.', nextStep: 'See the details.', details };
    expect(errorText({ ...error, code: 'api.invalid' })).toBe(`Refused. ${text}`);
    // The next step of other errors does not depend on the answer.
    expect(errorText({ ...error, code: 'api.forbidden' })).toBe('Refused. See the details.');
  });

  it('shows the values that the library refused as one of the details, in each shape of its errors', () => {
    const errors = [{ field: 'tags', message: 'has too many entries' }, 'title: is required', { slug: ['is in use'] }];
    expect(detailLines({ details: { status: 422, errors } })).toEqual([
      { label: 'Refused values', text: 'tags: has too many entries title: is required slug: is in use' },
      { label: 'Status', text: '422' },
    ]);
  });

  it('shows every error of an address at the address field', () => {
    const codes = Object.keys(ERROR_CATALOG) as ErrorCode[];
    const site = codes.filter((code) => code.startsWith('site.'));
    expect(site.map(signInFieldOf)).toEqual(site.map(() => 'baseUrl'));
    expect(signInFieldOf('sign-in.denied')).toBe('form');
    expect(signInFieldOf('sign-in.failed')).toBe('clientId');
  });

  it('does not show a choice of the user as a failure', () => {
    expect(isOwnChoice('sign-in.cancelled')).toBe(true);
    expect(isOwnChoice('sign-in.denied')).toBe(false);
  });
});

describe('the address of a library', () => {
  it.each([
    ['media.example.org', 'https://media.example.org'],
    [' https://media.example.org/ ', 'https://media.example.org'],
    ['http://media.example.org', 'http://media.example.org'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['media.example.org:8443/base', 'https://media.example.org:8443/base'],
    ['', ''],
  ])('%s is completed to %s', (typed, completed) => expect(completeAddress(typed)).toBe(completed));

  it('keeps a scheme, and adds https to a text without one', () => {
    expect(completeAddress('ftp://x')).toBe('ftp://x');
    expect(completeAddress('not a url')).toBe('https://not a url');
  });
});
