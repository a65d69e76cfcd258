import { type Dialect, REFERENCE } from '../wire/dialect.ts';

// Two other ways to treat what the API leaves open, so that clients can prove that they depend on none of these details.

const lean: Dialect = {
  name: 'lean',
  mediaCreationBody: 'none',
  updateBody: 'no-content',
  completion: 'upload-itself',
  forbidden: { status: 404, body: 'json' },
  notFound: 'none',
  fieldErrors: 'strings',
  initialMediaStatus: 'draft',
  pageSize: { default: 10, max: 10 },
  abandonedSince: 'creation',
  secondUpload: 409,
  thumbList: 'empty-object',
  ownCountInTree: false,
  tokenErrors: 'message-401',
  requiresPkce: false,
  location: 'absolute',
  uploadAnswer: 200,
};

const strict: Dialect = {
  name: 'strict',
  mediaCreationBody: 'empty-object',
  updateBody: 'message',
  completion: 'postprocess-form-only',
  forbidden: { status: 403, body: 'html' },
  notFound: 'html',
  fieldErrors: 'by-field',
  initialMediaStatus: 'published',
  pageSize: { default: 100, max: 100 },
  abandonedSince: 'creation',
  secondUpload: 403,
  thumbList: 'array',
  ownCountInTree: false,
  tokenErrors: 'rfc6749',
  requiresPkce: true,
  location: 'path',
  uploadAnswer: 303,
};

export const DIALECTS: Readonly<Record<Dialect['name'], Dialect>> = { reference: REFERENCE, lean, strict };
