/**
 * One interpretation of the details that the API leaves open. Every member is used in exactly one place. The reference dialect is
 * how the service normally behaves; the two others exist so that clients can prove that they depend on none of these details.
 */
export interface Dialect {
  name: 'reference' | 'lean' | 'strict';
  /** Body of POST /api2/media. */
  mediaCreationBody: 'resource' | 'none' | 'empty-object';
  /** Body of updates and actions. */
  updateBody: 'resource' | 'no-content' | 'message';
  /** The event that completes an upload. */
  completion: 'postprocess' | 'upload-itself' | 'postprocess-form-only';
  forbidden: { status: 403 | 404; body: 'json' | 'html' };
  notFound: 'json' | 'none' | 'html';
  /** Form of the items in the `errors` of a 422. */
  fieldErrors: 'objects' | 'strings' | 'by-field';
  initialMediaStatus: 'draft' | 'published';
  pageSize: { default: number; max: number };
  /** The start of the 30 minutes after which an upload is abandoned. */
  abandonedSince: 'last-activity' | 'creation';
  /** The answer to a second upload to the same destination. */
  secondUpload: 'replace' | 409 | 403;
  thumbList: 'envelope' | 'empty-object' | 'array';
  ownCountInTree: boolean;
  tokenErrors: 'rfc6749' | 'message-401';
  /**
   * Whether the code flow requires PKCE, if the setting does not decide. The API documents its authorization request without a
   * challenge, so the reference dialect also accepts clients that send none.
   */
  requiresPkce: boolean;
  location: 'path' | 'absolute';
  uploadAnswer: 204 | 200 | 303;
}

/** The part of a site that determines the form of its answers. */
export interface DialectSource {
  readonly baseUrl: string;
  dialect(): Dialect;
}

/** How the service behaves outside of tests. */
export const REFERENCE: Dialect = {
  name: 'reference',
  mediaCreationBody: 'resource',
  updateBody: 'resource',
  completion: 'postprocess',
  forbidden: { status: 403, body: 'json' },
  notFound: 'json',
  fieldErrors: 'objects',
  initialMediaStatus: 'draft',
  pageSize: { default: 50, max: 200 },
  abandonedSince: 'last-activity',
  secondUpload: 'replace',
  thumbList: 'envelope',
  ownCountInTree: true,
  tokenErrors: 'rfc6749',
  requiresPkce: false,
  location: 'path',
  uploadAnswer: 204,
};
